package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildMain;

/** A process that holds a lock and, when it is told to, waits for another: URI, name that it holds. */
public final class DeadlockProcess {

    private DeadlockProcess() {}

    public static void main(String[] arguments) {
        ChildMain parent = new ChildMain();
        InterlockBuilder builder = Interlock.builder(arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .application("deadlock-test");
        Detector detector = Detector.addTo(builder, Timing.USUAL);
        try (Interlock client = builder.build()) {
            client.lock(arguments[1]).lock();
            parent.say("holds");
            String wanted = parent.hearOrDie();
            Thread watch = new Thread(() -> sayWhenPublished(detector, parent), "watch");
            watch.setDaemon(true);
            watch.start();
            try {
                client.lock(wanted).lock();
                client.lock(wanted).unlock();
                parent.say("got it");
            } catch (DeadlockException e) {
                parent.say("deadlock of " + e.circle().size());
                String.valueOf(e.getMessage()).lines().forEach(line -> parent.say("told " + line));
            }
            client.lock(arguments[1]).unlock();
        }
    }

    private static void sayWhenPublished(Detector detector, ChildMain parent) {
        while (detector.published() == 0) {
            Thread.onSpinWait();
        }
        parent.say("waits");
    }
}
