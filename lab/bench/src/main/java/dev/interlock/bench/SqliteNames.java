package dev.interlock.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A new JVM with one client of an SQLite file. To each line with a number of threads and of milliseconds it answers
 * {@code pairs <per second> <CPU microseconds per verb>}: each thread has locked and unlocked a name of its own all the
 * time.
 */
final class SqliteNames {

    private SqliteNames() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Interlock client = Interlock.connect(arguments[0])) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                String[] words = line.split(" ", -1);
                Duration time = Duration.ofMillis(Long.parseLong(words[1]));
                System.out.println("pairs " + measure(client, Integer.parseInt(words[0]), time));
            }
        }
    }

    private static String measure(Interlock client, int number, Duration time) {
        AtomicLong pairs = new AtomicLong();
        long startNanos = System.nanoTime();
        long startCpu = cpuNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            DistributedLock lock = client.lock("bench:S5:" + i);
            Thread thread = new Thread(() -> {
                while (System.nanoTime() - startNanos < time.toNanos()) {
                    lock.lock();
                    try {
                        pairs.incrementAndGet();
                    } finally {
                        lock.unlock();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            join(thread);
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        double cpuMicros = (cpuNanos() - startCpu) / 1e3 / (2.0 * pairs.get());
        return pairs.get() / seconds + " " + cpuMicros;
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while others lock", e);
        }
    }
}
