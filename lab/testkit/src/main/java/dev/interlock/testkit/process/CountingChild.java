package dev.interlock.testkit.process;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.history.Hold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that increments a number in a file under a lock: URI, name, file, threads, rounds for each. Tells each
 * hold.
 */
public final class CountingChild {

    private CountingChild() {}

    public static void main(String[] arguments) throws Exception {
        ChildMain parent = new ChildMain();
        Path file = Path.of(arguments[2]);
        int threads = Integer.parseInt(arguments[3]);
        int rounds = Integer.parseInt(arguments[4]);
        try (Interlock client = Interlock.builder(arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build()) {
            DistributedLock lock = client.lock(arguments[1]);
            // On a busy machine to connect takes longer than one attempt.
            lock.run(() -> {});
            parent.say("ready");
            parent.hearOrDie();
            parent.dieWithParent();
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String owner = ProcessHandle.current().pid() + "/" + i;
                workers.add(new Thread(() -> {
                    for (int round = 0; round < rounds; round++) {
                        lock.run(() -> parent.say(
                                "hold " + increment(lock, owner, file).toLine()));
                    }
                }));
            }
            workers.forEach(Thread::start);
            for (Thread worker : workers) {
                worker.join();
            }
        }
        System.exit(0);
    }

    private static Hold increment(DistributedLock lock, String owner, Path file) {
        long begin = System.nanoTime();
        long token = lock.heldLease().token();
        try {
            long value = Long.parseLong(Files.readString(file));
            Files.writeString(file, Long.toString(value + 1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return new Hold(lock.name(), owner, token, begin, System.nanoTime());
    }
}
