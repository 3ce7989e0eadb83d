package dev.waymark.cli.page;

/**
 * A file of a page.
 *
 * @param path under which it is served
 * @param resource where it lies on the class path
 * @param mediaType what it is served as
 */
public record PageFile(String path, String resource, String mediaType) {

  public static PageFile html(String path, String resource) {
    return new PageFile(path, resource, "text/html; charset=utf-8");
  }

  public static PageFile css(String path, String resource) {
    return new PageFile(path, resource, "text/css; charset=utf-8");
  }

  public static PageFile script(String path, String resource) {
    return new PageFile(path, resource, "text/javascript; charset=utf-8");
  }
}
