package dev.waymark.client;

import java.util.List;

/**
 * What there is, and what had to be left out: one bad object hides none of the others.
 *
 * @param items by namespace and name
 * @param skipped what can't be shown, and why
 */
public record Listing<T>(List<T> items, List<Skipped> skipped) {

  public Listing {
    items = List.copyOf(items);
    skipped = List.copyOf(skipped);
  }
}
