/**
 * The controller's own certificates: made and renewed in a Secret, or read from files that somebody
 * else keeps. {@link dev.waymark.controller.certificates.Certificates} is the way in.
 */
package dev.waymark.controller.certificates;
