package dev.waymark.cli.page;

import io.vertx.core.buffer.Buffer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The files of a page, its own and those that all pages share, read from the class path once. */
final class PageAssets {

  /** A file and the media type it is served with. */
  record Asset(Buffer content, String mediaType) {}

  private static final String SHARED = "dev/waymark/cli/page/";

  private static final List<String> SHARED_MODULES =
      List.of("charts", "details", "dom", "feed", "figures", "rows", "state", "text");

  private final Map<String, Asset> assets = new HashMap<>();

  private PageAssets() {}

  static PageAssets load(List<PageFile> own) throws IOException {
    PageAssets assets = new PageAssets();
    assets.add(PageFile.css("/page.css", SHARED + "page.css"));
    for (String module : SHARED_MODULES) {
      assets.add(PageFile.script("/" + module + ".js", SHARED + module + ".js"));
    }
    assets.add(new PageFile("/icon.svg", SHARED + "icon.svg", "image/svg+xml"));
    String uplot = "META-INF/resources/webjars/uplot/" + uplotVersion() + "/dist/";
    assets.add(PageFile.script("/uPlot.js", uplot + "uPlot.esm.js"));
    assets.add(PageFile.css("/uPlot.css", uplot + "uPlot.min.css"));
    for (PageFile file : own) {
      assets.add(file);
    }
    return assets;
  }

  /** Null where there is no such file. */
  Asset get(String path) {
    return assets.get(path);
  }

  private void add(PageFile file) throws IOException {
    assets.put(file.path(), new Asset(Buffer.buffer(read(file.resource())), file.mediaType()));
  }

  /** The web jar keeps its files in a folder named after its version. */
  private static String uplotVersion() throws IOException {
    Properties properties = new Properties();
    String resource = "META-INF/maven/org.webjars.npm/uplot/pom.properties";
    try (InputStream in = open(resource)) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  private static byte[] read(String resource) throws IOException {
    try (InputStream in = open(resource)) {
      return in.readAllBytes();
    }
  }

  private static InputStream open(String resource) throws IOException {
    InputStream in = PageAssets.class.getClassLoader().getResourceAsStream(resource);
    if (in == null) {
      throw new FileNotFoundException("not on the class path: " + resource);
    }
    return in;
  }
}
