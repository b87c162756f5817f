package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A new JVM that locks once, prints {@code locked}, and unlocks. It answers each further line with {@code threads
 * <number>}, the number of live threads of the JVM, including its own.
 */
final class FirstLock {

    private FirstLock() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Peer peer = PeerKind.valueOf(arguments[0]).open(arguments[1]);
        PeerLock lock = peer.lock("bench:B8");
        lock.lock();
        answers.println("locked");
        lock.unlock();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            answers.println("threads " + Thread.getAllStackTraces().size());
        }
        Runtime.getRuntime().halt(0);
    }
}
