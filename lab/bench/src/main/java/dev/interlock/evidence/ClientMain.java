package dev.interlock.evidence;

import dev.interlock.evidence.Rival.Held;
import dev.interlock.testkit.process.ChildMain;
import dev.interlock.testkit.process.WrongClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * A process that acquires the lock again and again and works while it holds it. Work is a number of writes to the
 * resource; before each the client asks the library whether it still holds, as a careful program does. It obeys four
 * orders: {@code stay} (go on with the work at hand, or the next, until told otherwise), {@code go}, {@code finish},
 * and {@code clock} with how far the clock is ahead from now on.
 */
final class ClientMain {

    /** So many writes that a hold of a library that does not renew stays well below its lease. */
    static final int MOST_STEPS = 15;

    private static final int LEAST_STEPS = 5;

    /** What a client does at most that is told to stay, of a library that does not renew. */
    private static final int STAYING_STEPS = 30;

    private static final long STEP_MILLIS = 10;
    private static final long THINK_MILLIS = 30;
    private static final long RETRY_MILLIS = 50;
    private static final Duration WAIT = Duration.ofMinutes(1);

    private final ChildMain parent = new ChildMain();
    private final Subject subject;
    private final Rival rival;
    private final int number;
    private final Writer out;
    private final BufferedReader in;
    private int hold;
    private volatile boolean staying;
    private volatile boolean finishing;

    private ClientMain(Subject subject, Rival rival, int number, Socket resource) throws IOException {
        this.subject = subject;
        this.rival = rival;
        this.number = number;
        resource.setTcpNoDelay(true);
        out = new OutputStreamWriter(resource.getOutputStream(), StandardCharsets.UTF_8);
        in = new BufferedReader(new InputStreamReader(resource.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Subject, URI, name, lease, port of the resource, number. */
    public static void main(String[] arguments) throws Exception {
        // What the libraries log about faults is not looked at.
        LogManager.getLogManager().reset();
        Subject subject = Subject.of(arguments[0]);
        Rival rival = opened(subject, arguments[1], arguments[2], Duration.parse(arguments[3]));
        Socket resource = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[4]));
        ClientMain client = new ClientMain(subject, rival, Integer.parseInt(arguments[5]), resource);
        Thread orders = new Thread(client::obey, "orders");
        orders.setDaemon(true);
        orders.start();
        client.work();
        rival.close();
        client.parent.say("closed");
        // Libraries may leave threads behind that are no daemons.
        Runtime.getRuntime().halt(0);
    }

    /** Some libraries connect here, and give up on a busy machine: the fault has yet to come. */
    private static Rival opened(Subject subject, String uri, String name, Duration lease) throws InterruptedException {
        while (true) {
            try {
                return subject.open(uri, name, lease);
            } catch (RuntimeException e) {
                pause(RETRY_MILLIS);
            }
        }
    }

    private void obey() {
        while (true) {
            String[] words = parent.hearOrDie().split(" ", 2);
            switch (words[0]) {
                case "stay" -> staying = true;
                case "go" -> staying = false;
                case "finish" -> {
                    finishing = true;
                    staying = false;
                }
                case "clock" -> WrongClock.shift(Duration.parse(words[1]));
                default -> throw new IllegalArgumentException("The orders are stay, go, finish and clock");
            }
        }
    }

    private void work() throws Exception {
        while (!finishing) {
            // The first time is for connections and classes, which some libraries make and load only then.
            if (hold > 0) {
                say(What.ASKS, Rival.NO_TOKEN, "");
            }
            Held held = acquired();
            if (held != null) {
                use(held);
                pause(THINK_MILLIS);
            }
        }
        say(What.LEAVES, Rival.NO_TOKEN, "");
    }

    /** Null only if this process is to finish. */
    private @Nullable Held acquired() throws Exception {
        do {
            try {
                Held held = rival.acquire(WAIT);
                if (held != null) {
                    hold++;
                    say(What.HOLDS, held.token(), "");
                    return held;
                }
                say(What.BUSY, Rival.NO_TOKEN, "");
            } catch (Exception e) {
                say(What.FAILED, Rival.NO_TOKEN, e.getClass().getSimpleName());
                pause(RETRY_MILLIS);
            }
        } while (!finishing);
        return null;
    }

    private void use(Held held) throws Exception {
        int steps = ThreadLocalRandom.current().nextInt(LEAST_STEPS, MOST_STEPS + 1);
        boolean stayed = false;
        boolean lost = false;
        for (int step = 0; step < steps || (staying && mayStay(step)); step++) {
            if (staying && !stayed) {
                stayed = true;
                steps = step + LEAST_STEPS;
                say(What.STAYS, held.token(), "");
            }
            if (!isHeld(held)) {
                say(What.LOST, held.token(), "");
                lost = true;
                break;
            }
            if (!write(held.token())) {
                break;
            }
            pause(STEP_MILLIS);
        }
        release(held, lost);
    }

    private boolean mayStay(int step) {
        return subject.renews() || step < STAYING_STEPS;
    }

    private static boolean isHeld(Held held) {
        try {
            return held.isHeld();
        } catch (Exception e) {
            return false;
        }
    }

    /** As in a finally block: also after a loss. */
    private void release(Held held, boolean lost) throws IOException {
        if (!lost) {
            say(What.RELEASES, held.token(), "");
        }
        try {
            held.release();
            say(What.RELEASED, held.token(), "");
        } catch (Exception e) {
            say(What.UNRELEASED, held.token(), e.getClass().getSimpleName());
        }
    }

    private boolean write(long token) throws IOException {
        say(What.WROTE, token, "");
        String reply = in.readLine();
        if (reply == null) {
            Runtime.getRuntime().halt(3);
        }
        return "1".equals(reply);
    }

    private void say(What what, long token, String note) throws IOException {
        out.write(new Event(System.nanoTime(), number, hold, what, token, note).toLine() + "\n");
        out.flush();
    }

    private static void pause(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
