package example;

import ai.djl.util.cuda.CudaUtils;

/** Prints the number of GPUs that DJL sees, and the CUDA version. */
public final class GpuCount {
  private GpuCount() {}

  public static void main(String[] arguments) throws ClassNotFoundException {
    Class.forName(CudaUtils.class.getName());
    // Where DJL looks for the JVM that it forks (0.36.0), once all classes are loaded.
    System.setProperty("java.home", arguments[0]);
    System.out.println(CudaUtils.getGpuCount() + " GPUs, CUDA " + CudaUtils.getCudaVersion());
  }
}
