package dev.interlock.cli.screen;

import dev.interlock.cli.common.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole of a terminal, which has its text and its settings back when this is closed, and however the process ends.
 * Lines that are too long are cut by the terminal itself, which knows best how wide a character is. For one thread.
 */
public final class FullScreen implements AutoCloseable {

    /** Another screen, without cursor, without wrapping. */
    private static final String ENTER = "\033[?1049h\033[?25l\033[?7l\033[2J";

    private static final String LEAVE = "\033[?7h\033[?25h\033[?1049l";

    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_REST = "\033[J";

    private final KeyReader keys = new KeyReader();
    private final Thread atEnd = new Thread(this::leave, "interlock-screen");
    private final @Nullable String settings;

    /** Guarded by the monitor: the process may end while this is being closed. */
    private boolean left;

    private FullScreen(@Nullable String settings) {
        this.settings = settings;
    }

    /** Takes over the terminal. Only where {@link Terminal#isInteractive()}. */
    public static FullScreen open() {
        FullScreen screen = new FullScreen(Tty.settings());
        Runtime.getRuntime().addShutdownHook(screen.atEnd);
        screen.enter();
        screen.keys.start();
        return screen;
    }

    /** Takes the terminal over again, after the process was stopped. */
    public void resume() {
        enter();
        wake();
    }

    /** Makes {@link #key} return at once, for example after a change of the size. Any thread may call this. */
    public void wake() {
        keys.interrupt();
    }

    /** The present size. */
    public Size size() {
        return Tty.size();
    }

    /** Shows these lines from the top, at most as many as there are; what they contain must be safe. */
    public void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            frame.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(CLEAR_LINE);
        }
        System.out.print(frame.append(CLEAR_REST));
        System.out.flush();
    }

    /**
     * Waits for a key.
     *
     * @return null if none was pressed in this time, or after {@link #wake}
     * @throws IOException if the terminal is gone
     */
    public @Nullable Key key(Duration patience) throws IOException, InterruptedException {
        return keys.next(patience);
    }

    private void enter() {
        if (settings != null) {
            Tty.readKeys();
        }
        System.out.print(ENTER);
        System.out.flush();
    }

    private synchronized void leave() {
        if (left) {
            return;
        }
        left = true;
        System.out.print(LEAVE);
        System.out.flush();
        if (settings != null) {
            Tty.restore(settings);
        }
    }

    @Override
    public void close() {
        leave();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook finds that there is nothing left to do.
        }
    }
}
