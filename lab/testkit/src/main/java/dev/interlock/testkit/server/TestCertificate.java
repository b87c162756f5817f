package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate and its key for a test's server, as PEM files under {@code target/}. Made by the JDK's own
 * {@code keytool}.
 *
 * @param certificate what a client has to trust
 * @param key the private key, without a password
 */
public record TestCertificate(Path certificate, Path key) {

    private static final String PASSWORD = "password";
    private static final String ALIAS = "server";

    /**
     * Makes one.
     *
     * @param subject whom it names, as {@code keytool} takes it: {@code ip:127.0.0.1} or {@code dns:example.org}
     */
    public static TestCertificate of(String subject) {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(RedisBinary.target()), "certificate-");
            Path store = folder.resolve("store.p12");
            keytool(subject, store);
            KeyStore loaded = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                loaded.load(in, PASSWORD.toCharArray());
            }
            byte[] key = loaded.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
            byte[] certificate = loaded.getCertificate(ALIAS).getEncoded();
            return new TestCertificate(
                    pem(folder.resolve("certificate.pem"), "CERTIFICATE", certificate),
                    pem(folder.resolve("key.pem"), "PRIVATE KEY", key));
        } catch (IOException e) {
            throw new UncheckedIOException("The certificate cannot be written", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The certificate cannot be read back", e);
        }
    }

    private static void keytool(String subject, Path store) throws IOException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(
                keytool,
                // It lives for less than a second.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "san=" + subject,
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a certificate was made", e);
        }
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        String text = "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
        return Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
