/**
 * A small HTTP server that clients can't hold up. {@link dev.waymark.status.http.WebServer} minds
 * TLS, deadlines and sizes; a {@link dev.waymark.status.http.RequestAnswerer} says what there is to
 * say.
 */
package dev.waymark.status.http;
