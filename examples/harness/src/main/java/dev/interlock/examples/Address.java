package dev.interlock.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where one of the instances is reached: delivers every order to it, again until it is answered with 200. Another
 * process may take its place at any time.
 */
final class Address implements AutoCloseable {

    private static final int WORKERS = 6;

    private final Orders orders;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();
    private final List<Thread> workers = new ArrayList<>();
    private volatile Instance instance;
    private volatile boolean closed;

    Address(Orders orders, Instance instance) {
        this.orders = orders;
        this.instance = instance;
        for (int i = 0; i < WORKERS; i++) {
            Thread worker = new Thread(this::work, "deliver-to-" + instance + "-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
    }

    /** The process that is there now. */
    Instance instance() {
        return instance;
    }

    /** Another process is there from now on. */
    void replace(Instance next) {
        instance = next;
    }

    /** How many orders have been delivered. */
    long delivered() {
        return delivered.get();
    }

    /** No further orders; returns when all deliveries have ended. */
    @Override
    public void close() {
        closed = true;
        try {
            for (Thread worker : workers) {
                worker.interrupt();
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            while (!closed) {
                deliver(taken.incrementAndGet());
                delivered.incrementAndGet();
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void deliver(long order) throws InterruptedException {
        while (orders.last() < order) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        while (!isDelivered(instance.charge(order))) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static boolean isDelivered(Instance.Answer answer) {
        return answer == Instance.Answer.CHARGED || answer == Instance.Answer.CHARGED_BEFORE;
    }
}
