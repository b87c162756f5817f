package dev.interlock.cli.screen;

import dev.interlock.cli.screen.Key.Name;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys from standard input. A thread of its own reads characters; the caller gets keys of them, which for arrows
 * are several characters. For one calling thread.
 */
final class KeyReader {

    private static final int END = -1;
    private static final int WAKE = 0;
    private static final char ESC = 27;

    /** Within this time the rest of a sequence follows the escape with which it begins. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int LONGEST_SEQUENCE = 16;

    private final LinkedBlockingQueue<Integer> characters = new LinkedBlockingQueue<>();

    void start() {
        Thread reader = new Thread(this::read, "interlock-keys");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            Reader in = new InputStreamReader(System.in, StandardCharsets.UTF_8);
            int character = in.read();
            while (character != END) {
                characters.add(character);
                character = in.read();
            }
        } catch (IOException e) {
            // The terminal is gone, which is an end, too.
        }
        characters.add(END);
    }

    /** Makes {@link #next} return at once, without a key. */
    void interrupt() {
        characters.add(WAKE);
    }

    /**
     * The next key.
     *
     * @return null if none was pressed in this time
     * @throws IOException if there will be none any more
     */
    @Nullable
    Key next(Duration patience) throws IOException, InterruptedException {
        Integer first = characters.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        if (first == null || first == WAKE) {
            return null;
        }
        int character = first;
        return switch (character) {
            case END -> throw new IOException("The terminal is gone");
            case '\r', '\n' -> Key.of(Name.ENTER);
            case 8, 127 -> Key.of(Name.BACKSPACE);
            case ESC -> sequence();
            default -> character < ' ' ? Key.of(Name.OTHER) : new Key(Name.CHARACTER, character);
        };
    }

    /** An escape and what follows it at once: {@code [}, parameters, and a final letter or {@code ~}. */
    private Key sequence() throws InterruptedException {
        Integer introducer = characters.poll(SEQUENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (introducer == null) {
            return Key.of(Name.ESCAPE);
        }
        StringBuilder parameters = new StringBuilder();
        while (parameters.length() < LONGEST_SEQUENCE) {
            Integer next = characters.poll(SEQUENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (next == null || next == END) {
                return Key.of(Name.OTHER);
            }
            if (next == WAKE) {
                continue;
            }
            if (Character.isLetter(next) || next == '~') {
                return Key.of(named(parameters.toString(), (char) next.intValue()));
            }
            parameters.appendCodePoint(next);
        }
        return Key.of(Name.OTHER);
    }

    private static Name named(String parameters, char last) {
        return switch (last) {
            case 'A' -> Name.UP;
            case 'B' -> Name.DOWN;
            case 'H' -> Name.HOME;
            case 'F' -> Name.END;
            case '~' ->
                switch (parameters) {
                    case "1", "7" -> Name.HOME;
                    case "4", "8" -> Name.END;
                    case "5" -> Name.PAGE_UP;
                    case "6" -> Name.PAGE_DOWN;
                    default -> Name.OTHER;
                };
            default -> Name.OTHER;
        };
    }
}
