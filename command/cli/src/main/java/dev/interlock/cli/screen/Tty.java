package dev.interlock.cli.screen;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The terminal on standard input, by {@code stty}, which every POSIX system has. */
final class Tty {

    private Tty() {}

    static Size size() {
        String printed = stty("size");
        return printed == null ? Size.USUAL : Size.parse(printed);
    }

    /** The settings as they are, for {@link #restore}; null if there is no {@code stty}. */
    static @Nullable String settings() {
        return stty("-g");
    }

    /** Each key arrives at once, and is not shown. Ctrl-C and Ctrl-Z remain signals. */
    static void readKeys() {
        stty("-icanon", "-echo", "min", "1", "time", "0");
    }

    static void restore(String settings) {
        stty(settings);
    }

    /** What it has printed; null if it has failed. */
    private static @Nullable String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream out = process.getInputStream()) {
                String printed = new String(out.readAllBytes(), StandardCharsets.US_ASCII).strip();
                return process.waitFor() == 0 ? printed : null;
            }
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
