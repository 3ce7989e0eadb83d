/**
 * The certificates of TLS servers: {@link dev.waymark.status.tls.CertificateAuthority} makes them,
 * {@link dev.waymark.status.tls.ServerCertificate} shows them and exchanges them while a server
 * runs.
 */
package dev.waymark.status.tls;
