package dev.interlock.cli;

import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Terminal;
import dev.interlock.cli.screen.FullScreen;
import dev.interlock.cli.screen.Key;
import dev.interlock.spi.LockStore;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A list of locks that is looked up each second: on a terminal in place, elsewhere one below the other. The first look
 * fails if the store is not available; later ones say so, and the display goes on.
 */
final class LiveList {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final String store;
    private final Supplier<Listing> look;

    /**
     * A list that has not been looked up yet.
     *
     * @param store its URI, without the password
     * @param look asks the store
     */
    LiveList(String store, Supplier<Listing> look) {
        this.store = store;
        this.look = look;
    }

    /**
     * Shows the list in this order until a key ends it, or prints it until nobody reads the output.
     *
     * @return the exit code
     */
    int show(TopOrder order) throws InterruptedException {
        TopView view = new TopView(order, Colours.ofOutput());
        if (!Terminal.isInteractive()) {
            return print(locks -> view.table(locks, now()) + "\n");
        }
        view.show(look.get());
        try (FullScreen screen = FullScreen.open()) {
            OsSignal.onReceived("WINCH", screen::wake);
            OsSignal.onReceived("CONT", screen::resume);
            show(view, screen);
        } catch (IOException e) {
            throw new CommandException(ExitCode.UNWRITTEN, e.getMessage() + "; allowed is one that stays", e);
        }
        return ExitCode.OK;
    }

    /** Prints it each second, in this form, until nobody reads the output. */
    int print(Function<Listing, String> form) throws InterruptedException {
        Listing locks = look.get();
        while (true) {
            if (locks != null) {
                System.out.print(form.apply(locks));
            }
            if (System.out.checkError()) {
                // The caller finds out why.
                return ExitCode.OK;
            }
            Thread.sleep(PERIOD.toMillis());
            locks = lookAgain();
        }
    }

    /** Null if the store did not answer. */
    private @Nullable Listing lookAgain() {
        try {
            return look.get();
        } catch (StoreUnavailableException e) {
            System.err.println("interlock: " + now() + " " + ErrorReporter.line(unavailable(e), List.of(store)));
            return null;
        }
    }

    private void show(TopView view, FullScreen screen) throws IOException, InterruptedException {
        String problem = "";
        CompletableFuture<Listing> looking = null;
        long dueNanos = System.nanoTime() + PERIOD.toNanos();
        while (true) {
            screen.draw(view.lines(store + problem + "  " + now(), screen.size()));
            Duration patience = looking == null ? Duration.ofNanos(dueNanos - System.nanoTime()) : PERIOD;
            Key key = screen.key(patience);
            if (key != null && !view.press(key)) {
                return;
            }
            if (looking == null && System.nanoTime() - dueNanos >= 0) {
                // On another thread: a store that is silent must not keep keys waiting.
                looking = CompletableFuture.supplyAsync(look);
                var unused = looking.whenComplete((locks, failure) -> screen.wake());
            }
            if (looking != null && looking.isDone()) {
                problem = seen(looking, view);
                looking = null;
                dueNanos = System.nanoTime() + PERIOD.toNanos();
            }
        }
    }

    /** Shows what was seen, or returns why nothing was. */
    private String seen(CompletableFuture<Listing> done, TopView view) throws InterruptedException {
        try {
            view.show(done.get());
            return "";
        } catch (ExecutionException e) {
            return "  " + ErrorReporter.line(unavailable(LockStore.causeOf(e)), List.of(store));
        }
    }

    private static String unavailable(@Nullable Throwable failure) {
        return "the store is unavailable" + (failure == null ? "" : ": " + failure.getMessage());
    }

    private static String now() {
        return LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }
}
