package dev.waymark.client;

import java.util.List;

/** What runs in each node of a TrainJob. */
public sealed interface Program {

  /**
   * A command of the image.
   *
   * <p>Kubernetes puts the values of variables where the words say {@code $(NAME)}.
   *
   * @param command at least one word; replaces the runtime's, with its arguments
   */
  record Command(List<String> command) implements Program {
    public Command {
      command = List.copyOf(command);
    }
  }

  /**
   * Other arguments for the runtime's or the image's own command.
   *
   * @param args replace the runtime's
   */
  record Arguments(List<String> args) implements Program {
    public Arguments {
      args = List.copyOf(args);
    }
  }

  /**
   * A Java program in the image: {@code java <javaOptions> -jar <path> <args>}, with no shell
   * around it, so that a pod's SIGTERM reaches the JVM.
   *
   * @param path of the jar, in the image
   * @param javaOptions such as {@code -Xmx8g}; may be empty
   * @param args of the program; may be empty
   */
  record Jar(String path, List<String> javaOptions, List<String> args) implements Program {
    public Jar {
      javaOptions = List.copyOf(javaOptions);
      args = List.copyOf(args);
    }
  }

  /**
   * A program of one source file, which travels inside the TrainJob: {@code java Train.java} or
   * {@code python train.py}, with torchrun or mpirun where the runtime has it so. The image needs a
   * shell and a JDK, or Python.
   *
   * @param name of the file, ending in {@code .java} or {@code .py}
   * @param text of the file, at most 131,071 bytes in UTF-8
   * @param packages that pip installs first, such as {@code numpy==2.1}; empty for Java
   * @param indexUrls where pip looks for them: the first replaces PyPI, the others come after it
   * @param args of the program; may be empty
   */
  record Source(
      String name, String text, List<String> packages, List<String> indexUrls, List<String> args)
      implements Program {
    public Source {
      packages = List.copyOf(packages);
      indexUrls = List.copyOf(indexUrls);
      args = List.copyOf(args);
    }

    /** A program that needs nothing else. */
    public Source(String name, String text) {
      this(name, text, List.of(), List.of(), List.of());
    }

    boolean isPython() {
      return name.endsWith(".py");
    }
  }
}
