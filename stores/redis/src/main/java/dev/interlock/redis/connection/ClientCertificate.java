package dev.interlock.redis.connection;

import java.nio.file.Path;

/**
 * Who the client is, for a server that wants to know that by TLS.
 *
 * @param chain a PEM file with the certificate, followed by those of the authorities between, if there are any
 * @param key a PEM file with its private key in PKCS #8, without a password
 */
public record ClientCertificate(Path chain, Path key) {}
