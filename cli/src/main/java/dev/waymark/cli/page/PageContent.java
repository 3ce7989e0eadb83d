package dev.waymark.cli.page;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * What a page shows and does. Who may see it, and how an open page is kept up to date, is the
 * {@link PageServer}'s. All is called on one event loop, and mustn't block.
 */
public interface PageContent {

  /**
   * What prints the page's link when it starts, for those who have lost it: {@code waymark run}.
   */
  String command();

  /** Its own files, beside those that all pages share; one of them is {@code /}. */
  List<PageFile> files();

  /** What it lists; open pages are told what changes. */
  PageRows rows();

  /** Answers a GET of anything that is no file. */
  CompletionStage<PageAnswer> answer(String path);

  /** Whether a path stands for something to do: then it is asked by POST, and by nothing else. */
  default boolean isAction(String path) {
    return false;
  }

  /** Does what an action stands for. */
  default CompletionStage<PageAnswer> act(String path) {
    throw new UnsupportedOperationException(path);
  }

  /**
   * What comes bit by bit at a path, such as a log; not started yet.
   *
   * @param parameter the query's value of a name, or null
   * @return empty where a path is no stream
   */
  default Optional<PageStream> stream(String path, UnaryOperator<String> parameter) {
    return Optional.empty();
  }
}
