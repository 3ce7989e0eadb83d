package dev.waymark.testbed;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The class's tests need the testbed's parts: they {@linkplain Cluster#start() start} a cluster of
 * their own or run its scripts. Where it is not built, they are skipped with one line; or fail, if
 * environment variable {@value Testbed#MODE} is {@code required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TestbedCondition.class)
public @interface NeedsTestbed {}
