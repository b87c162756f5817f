package dev.interlock.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;

/**
 * A new JVM that locks and unlocks one name so many times, and prints {@code at <number>} at the first, the tenth, the
 * hundredth time and so on. Then it prints {@code classes <number>}, how many it has loaded.
 */
final class FreshJvm {

    private FreshJvm() {}

    public static void main(String[] arguments) {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Peer peer = PeerKind.valueOf(arguments[0]).open(arguments[1]);
        int last = Integer.parseInt(arguments[2]);
        PeerLock lock = peer.lock("bench:fresh");
        int next = 1;
        for (int number = 1; number <= last; number++) {
            lock.lock();
            lock.unlock();
            if (number == next) {
                answers.println("at " + number);
                next *= 10;
            }
        }
        answers.println("classes " + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        // It is not measured how peers close, and they may leave threads behind that are no daemons.
        Runtime.getRuntime().halt(0);
    }
}
