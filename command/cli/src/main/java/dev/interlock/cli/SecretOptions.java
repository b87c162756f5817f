package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Terminal;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The password and the key of the console. They are no arguments, which everybody on the machine can read. */
final class SecretOptions {

    private static final String PASSWORD_VARIABLE = "INTERLOCK_CONSOLE_PASSWORD";
    private static final String KEYSTORE_VARIABLE = "INTERLOCK_TLS_PASSWORD";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = {
                "Ask for the password in the first line of this file, instead of a token in the URL.",
                "Default: $$INTERLOCK_CONSOLE_PASSWORD; with --bind also a question on the terminal."
            })
    private @Nullable Path passwordFile;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "Serve by TLS, with the key in this PKCS12 file, whose password is in "
                    + "$$INTERLOCK_TLS_PASSWORD or asked for.")
    private @Nullable Path keystore;

    /**
     * What a browser has to give; null if there is no password.
     *
     * @param needed whether to ask for one on the terminal
     */
    @Nullable
    String password(boolean needed) {
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        String named = System.getenv(PASSWORD_VARIABLE);
        return named != null ? named : needed ? asked("Password for the console: ") : null;
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--password-file " + file + " cannot be read; allowed is a file with the password in UTF-8",
                    e);
        }
    }

    /** Null if there is nobody to ask. */
    private static @Nullable String asked(String question) {
        Console terminal = Terminal.canAsk() ? System.console() : null;
        char[] answer = terminal == null ? null : terminal.readPassword("%s", question);
        return answer == null ? null : new String(answer);
    }

    /** Null without a key. */
    @Nullable
    SSLContext tls() {
        if (keystore == null) {
            return null;
        }
        String named = System.getenv(KEYSTORE_VARIABLE);
        String password = named != null ? named : asked("Password of " + keystore + ": ");
        char[] secret = password == null ? new char[0] : password.toCharArray();
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, secret);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, secret);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--tls-keystore " + keystore + " cannot be used (" + e.getMessage()
                            + "); allowed is a PKCS12 file with a key, and its password in " + KEYSTORE_VARIABLE,
                    e);
        }
    }
}
