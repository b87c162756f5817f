package dev.interlock.redis.command;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.file.FileSystemException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains why a connection with TLS fails, and what to change. */
final class TlsProblem {

    private TlsProblem() {}

    /** Explains one of a chain of causes. Returns null if it is not about TLS, or a more specific cause follows. */
    static @Nullable String in(Throwable failure) {
        if (failure instanceof NotSslRecordException) {
            return "The server does not speak TLS on this port; begin the URI with redis://, or name its TLS port";
        }
        if (failure instanceof SslHandshakeTimeoutException) {
            return "The server did not answer in TLS; if it does not speak it on this port, begin the URI with"
                    + " redis://";
        }
        if (failure instanceof FileSystemException) {
            return "The certificates to trust cannot be read: trust=" + failure.getMessage();
        }
        if (failure instanceof IllegalArgumentException && isAboutTheKey(failure.getMessage())) {
            return "The client's certificate or key is none; both must be PEM, and the key PKCS #8 without a password ("
                    + failure.getMessage() + ")";
        }
        if (failure instanceof SSLException && isAboutTheClient(failure.getMessage())) {
            return "The server wants another certificate of this client; name it with"
                    + " ?cert=/path/of.pem&key=/path/of.pem (" + failure.getMessage() + ")";
        }
        if (failure instanceof CertPathBuilderException || failure instanceof CertPathValidatorException) {
            return "The server's certificate is not signed by anybody who is trusted; "
                    + "name the authority's certificate with ?trust=/path/of.pem (" + failure.getMessage() + ")";
        }
        if (failure instanceof CertificateException && failure.getCause() == null) {
            return isAboutTheName(failure.getMessage())
                    ? "The server's certificate is for another host; the URI must name one that it names ("
                            + failure.getMessage() + ")"
                    : "The server's certificate is not valid (" + failure.getMessage() + ")";
        }
        if (failure instanceof SSLException && failure.getCause() == null) {
            return "TLS with the server failed (" + failure.getMessage() + ")";
        }
        return null;
    }

    private static boolean isAboutTheKey(@Nullable String message) {
        return message != null && (message.contains("valid private key") || message.contains("valid certificates"));
    }

    /** An alert of the server about the certificate of the client: it has none, or not the right one. */
    private static boolean isAboutTheClient(@Nullable String message) {
        return message != null
                && (message.contains("certificate_required")
                        || message.contains("bad_certificate")
                        || message.contains("unknown_ca")
                        || message.contains("certificate_unknown"));
    }

    private static boolean isAboutTheName(@Nullable String message) {
        return message != null && (message.contains("subject alternative") || message.startsWith("No name matching"));
    }
}
