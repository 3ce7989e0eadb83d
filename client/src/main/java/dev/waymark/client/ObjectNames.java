package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names that become part of a path: what is no name would lead to another object, to a part of one,
 * or to all of them.
 */
final class ObjectNames {

  private static final int LONGEST = 253;

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  /** A subdomain by RFC 1123, as Kubernetes has it. */
  private static final Pattern NAME = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

  /**
   * The name itself.
   *
   * @param kind of the object, for the message
   * @throws TrainerException.Invalid if no object can have it
   */
  static String checked(String kind, String name) {
    if (name.length() > LONGEST || !NAME.matcher(name).matches()) {
      throw new TrainerException.Invalid(
          kind + " " + name,
          List.of(
              new FieldProblem(
                  "metadata.name",
                  "\"" + name + "\" is no name: at most 253 of a-z, 0-9, - and .")));
    }
    return name;
  }

  private ObjectNames() {}
}
