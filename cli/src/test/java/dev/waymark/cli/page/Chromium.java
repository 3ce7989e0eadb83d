package dev.waymark.cli.page;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The headless browser of the tests. */
public final class Chromium {

  /** A name of the attacker's that leads to this machine, as after DNS rebinding. */
  public static final String FOREIGN_HOST = "evil.example";

  private Chromium() {}

  /** Starts a browser that reaches nothing but this machine; without one, the test is skipped. */
  public static ChromeDriver start(Path profile) {
    Optional<File> browser = find("chromium", "chromium-browser", "google-chrome", "chrome");
    Optional<File> driver = find("chromedriver");
    assumeThat(browser.isPresent() && driver.isPresent())
        .as("chromium and chromedriver on the PATH, to test the page in")
        .isTrue();
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.orElseThrow());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile,
        "--host-resolver-rules=MAP "
            + FOREIGN_HOST
            + " 127.0.0.1, "
            + "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost");
    LoggingPreferences log = new LoggingPreferences();
    log.enable(LogType.BROWSER, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, log);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.orElseThrow())
            .usingAnyFreePort()
            .build();
    return new ChromeDriver(service, options);
  }

  private static Optional<File> find(String... names) {
    String[] folders = System.getenv("PATH").split(File.pathSeparator, -1);
    return Stream.of(names)
        .flatMap(name -> Stream.of(folders).map(folder -> new File(folder, name)))
        .filter(File::canExecute)
        .findFirst();
  }
}
