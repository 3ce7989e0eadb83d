package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceNumbersTest {

  @ParameterizedTest(name = "{0}, {1}, memory {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // visible | order    | memory  | numbers
        "-         | -          | 80 80   | 0 1",
        "-         | -          | 80      | 0",
        "2,3       | -          | 80 80   | 2 3",
        " 3 , 1    | -          | 80 80   | 3 1",
        "2         | -          | 80      | 2",
        // CUDA shows those before the first that is not there.
        "0,1,9,2   | -          | 80 80   | 0 1",
        // The fastest come first; which these are is not known.
        "-         | -          | 16 80   | ''",
        "0,1       | -          | 16 80   | ''",
        "-         | FASTEST_FIRST | 16 80 | ''",
        "-         | PCI_BUS_ID | 16 80   | 0 1",
        "1,0       | PCI_BUS_ID | 16 80   | 1 0",
        // One that does not answer.
        "-         | -          | 0 80    | 0 1",
        "GPU-8932f937 | -       | 80      | ''",
        "MIG-GPU-8932f937/1/2 | - | 10    | ''",
        "0,GPU-8932f937 | -     | 80 80   | ''",
        "1         | -          | 80 80   | ''",
        "''        | -          | ''      | ''",
        "-         | -          | ''      | ''",
      })
  void aDeviceHasTheNumberThatNvidiaSmiGivesIt(
      String visible, String order, String memory, String numbers) {
    assertThat(DeviceNumbers.of(visible, order, longs(memory))).isEqualTo(ints(numbers));
  }

  private static long[] longs(String text) {
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
  }

  private static int[] ints(String text) {
    return Arrays.stream(longs(text)).mapToInt(Math::toIntExact).toArray();
  }
}
