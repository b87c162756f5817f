package dev.interlock.jdbc;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * A process that increments a number in a file, protected only by a lock: {@code <lock file> <number file> <rounds>
 * <lease in ms> [<hangs>]}. It prints {@code ready}, waits for a line, and then prints {@code at <number> <token>} for
 * each increment. In the round {@code hangs} it stays inside.
 */
final class CounterMain {

    static final String NAME = "counter";

    private CounterMain() {}

    public static void main(String[] arguments) throws Exception {
        ChildMain child = new ChildMain();
        Path number = Path.of(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        int hangs = arguments.length > 4 ? Integer.parseInt(arguments[4]) : -1;
        LeaseTerm term = LeaseTerm.renewing(Duration.ofMillis(Long.parseLong(arguments[3])));
        child.say("ready");
        child.hearOrDie();
        child.dieWithParent();
        try (Interlock interlock = Interlock.builder("sqlite:" + arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build()) {
            for (int i = 0; i < rounds; i++) {
                try (Lease lease = interlock.lock(NAME).acquire(term)) {
                    int next = Integer.parseInt(Files.readString(number).trim()) + 1;
                    if (i == hangs) {
                        child.say("inside");
                        Thread.sleep(Duration.ofHours(1).toMillis());
                    }
                    write(number, next);
                    child.say("at " + next + " " + lease.token());
                }
            }
        }
        child.say("done");
    }

    /** Atomic: a process that is killed leaves the old number or the new one. */
    private static void write(Path number, int next) throws IOException {
        Path written = number.resolveSibling(number.getFileName() + ".new");
        Files.writeString(written, Integer.toString(next));
        Files.move(written, number, StandardCopyOption.ATOMIC_MOVE);
    }
}
