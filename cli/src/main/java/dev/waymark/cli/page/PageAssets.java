package dev.waymark.cli.page;

import io.vertx.core.buffer.Buffer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The files of the page, read from the class path once. */
final class PageAssets {

  /** A file and the media type it is served with. */
  record Asset(Buffer content, String mediaType) {}

  private static final String JAVASCRIPT = "text/javascript; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";

  private final Map<String, Asset> assets = new HashMap<>();

  private PageAssets() {}

  static PageAssets load() throws IOException {
    PageAssets assets = new PageAssets();
    assets.addOwn("/", "index.html", "text/html; charset=utf-8");
    assets.addOwn("/page.css", "page.css", CSS);
    for (String module :
        new String[] {"page", "charts", "dom", "feed", "figures", "table", "text"}) {
      assets.addOwn("/" + module + ".js", module + ".js", JAVASCRIPT);
    }
    assets.addOwn("/icon.svg", "icon.svg", "image/svg+xml");
    String uplot = "META-INF/resources/webjars/uplot/" + uplotVersion() + "/dist/";
    assets.add("/uPlot.js", uplot + "uPlot.esm.js", JAVASCRIPT);
    assets.add("/uPlot.css", uplot + "uPlot.min.css", CSS);
    return assets;
  }

  /** Null where there is no such file. */
  Asset get(String path) {
    return assets.get(path);
  }

  private void addOwn(String path, String file, String mediaType) throws IOException {
    add(path, "dev/waymark/cli/page/" + file, mediaType);
  }

  private void add(String path, String resource, String mediaType) throws IOException {
    assets.put(path, new Asset(Buffer.buffer(read(resource)), mediaType));
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
