package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** A webhook's answer. */
sealed interface Decision {

  /** Yes, as it is. */
  Decision ALLOWED = new Allowed(null, List.of());

  /**
   * Yes.
   *
   * @param patch JSON patch of the object (RFC 6902); null when it stays as it is
   * @param warnings shown to the one who wrote the object
   */
  record Allowed(ArrayNode patch, List<String> warnings) implements Decision {
    public Allowed {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * No.
   *
   * @param code HTTP status that the API server answers
   * @param reason of that status, a word of Kubernetes; null when there is none
   * @param message for the one who wrote the object
   * @param warnings shown to the same
   */
  record Denied(int code, String reason, String message, List<String> warnings)
      implements Decision {
    public Denied {
      warnings = List.copyOf(warnings);
    }
  }

  /** An object that can't be read. Upstream answers so, too, without a reason. */
  static Decision badRequest(String message) {
    return new Denied(400, null, message, List.of());
  }

  /** Somebody whom the webhook needs has failed, or the webhook itself. */
  static Decision internalError(String message) {
    return new Denied(500, "InternalError", message, List.of());
  }
}
