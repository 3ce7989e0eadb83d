/** What the tests of the samples share: a sample is run as its users run it. */
package dev.waymark.samples.testing;
