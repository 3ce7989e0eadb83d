package dev.waymark.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** Tests of a page in a real browser, one for all tests of a class. */
public abstract class PageInBrowser {

  protected static ChromeDriver browser;

  @TempDir static Path profile;

  @BeforeAll
  static void startBrowser() {
    browser = Chromium.start(profile);
  }

  @AfterAll
  static void stopBrowser() {
    if (browser != null) {
      browser.quit();
    }
  }

  /** Leaves the page, and nothing of it for the next test. */
  protected static void leave() {
    browser.get("about:blank");
    browser.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    browser.manage().logs().get(LogType.BROWSER);
  }

  protected static String text(String id) {
    return browser.findElement(By.id(id)).getText();
  }

  protected static List<String> titlesOfCharts() {
    return browser.findElements(By.cssSelector(".curve h2")).stream()
        .map(WebElement::getText)
        .toList();
  }

  protected static Object background() {
    return browser.executeScript("return getComputedStyle(document.body).backgroundColor");
  }

  /** Chromium reports each thing that the content security policy blocked, and each error. */
  protected static void assertNothingWasBlocked() {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .filteredOn(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .extracting(LogEntry::getMessage)
        .isEmpty();
  }

  protected static void setWindow(int width, int height, boolean phone) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
  }

  protected static void setColourScheme(String scheme) {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }
}
