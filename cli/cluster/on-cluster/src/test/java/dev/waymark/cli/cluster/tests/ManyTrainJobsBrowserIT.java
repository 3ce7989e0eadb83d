package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.ManyTrainJobs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.cli.page.PageInBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The dashboard of 5,000 TrainJobs: what serves it and what shows it have bounds. */
@Timeout(400)
class ManyTrainJobsBrowserIT extends PageInBrowser {

  /** Of the JVM that serves it. */
  private static final String HEAP = "-Xmx128m";

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void areShownABitAtATimeAndFilteredAtOnce() throws Exception {
    try (ManyTrainJobs many = new ManyTrainJobs(folder)) {
      Process dashboard = many.waymark(HEAP, "dashboard");
      try {
        await().atMost(LIMIT).until(() -> !many.out().isEmpty() || !dashboard.isAlive());
        assertThat(dashboard.isAlive()).as(many.err()).isTrue();
        setWindow(1280, 900, false);
        browser.get(many.out().get(0).substring("Page: ".length()));
        awaitText("shown", "5,000");
        assertThat(rows()).hasSize(50);
        assertThat(text("more")).isEqualTo("Show 200 more of 4,950");
        for (int shown : List.of(250, 450, 650, 850, 1_000)) {
          browser.findElement(By.id("more")).click();
          assertThat(rows()).hasSize(shown);
        }
        assertThat(browser.findElement(By.id("more")).isDisplayed()).isFalse();
        assertThat(text("rest")).startsWith("4,000 more are not shown.");

        browser.findElement(By.id("filter-name")).sendKeys("4242");
        awaitText("shown", "1 of 5,000");
        assertThat(rows()).hasSize(1);
        assertThat(isShown("42%")).isTrue();
        many.report("job-4242", 77);
        await().atMost(LIMIT).until(() -> isShown("77%") || !dashboard.isAlive());
        for (int i = 0; i < COUNT; i++) {
          many.report(ManyTrainJobs.name(i), 88);
        }
        await().atMost(LIMIT).until(() -> isShown("88%") || !dashboard.isAlive());
        assertThat(dashboard.isAlive()).as(many.err()).isTrue();
        assertNothingWasBlocked();
      } finally {
        leave();
        dashboard.destroy();
        dashboard.waitFor();
      }
    }
  }

  private static void awaitText(String id, String expected) {
    await().atMost(LIMIT).untilAsserted(() -> assertThat(text(id)).isEqualTo(expected));
  }

  private static boolean isShown(String text) {
    return rows().get(0).getText().contains(text);
  }

  private static List<WebElement> rows() {
    return browser.findElements(By.cssSelector("#job-rows tr"));
  }
}
