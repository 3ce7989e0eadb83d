package dev.waymark.dl4j;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A field that Deeplearning4j keeps to itself. Its jars are automatic modules, which are open. A
 * field that is not there, or that some module keeps closed, counts as unknown.
 */
final class PrivateField {
  /** By class and name, since a look-up takes microseconds, and each fit makes some. */
  private static final ClassValue<Map<String, PrivateField>> KNOWN =
      new ClassValue<>() {
        @Override
        protected Map<String, PrivateField> computeValue(Class<?> owner) {
          return new ConcurrentHashMap<>();
        }
      };

  /** Null if the class has no such field, or none that may be accessed. */
  private final Field field;

  private PrivateField(Field field) {
    this.field = field;
  }

  /**
   * The field of that name in a class or above it.
   *
   * @param owner null for one that has no fields
   */
  static PrivateField of(Class<?> owner, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField(name);
        field.setAccessible(true);
        return new PrivateField(field);
      } catch (NoSuchFieldException e) {
        // then in the class above
      } catch (RuntimeException | LinkageError e) {
        break; // a module that keeps it closed, or a field whose type is not there
      }
    }
    return new PrivateField(null);
  }

  /**
   * The value of an object's field, looked up now in the framework's class that it is of; null if
   * that has none or it can't be read.
   */
  static Object read(Object owner, String name) {
    Class<?> of = FrameworkClass.of(owner);
    return of == null
        ? null
        : KNOWN.get(of).computeIfAbsent(name, field -> of(of, field)).read(owner);
  }

  /** The value; null if the object has none, or it can't be read. */
  Object read(Object owner) {
    try {
      return field == null ? null : field.get(owner);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Sets the field, which must not be final, if there is one that can be set. */
  void write(Object owner, Object value) {
    try {
      if (field != null) {
        field.set(owner, value);
      }
    } catch (IllegalAccessException | IllegalArgumentException e) {
      // It stays as it is, which read tells.
    }
  }
}
