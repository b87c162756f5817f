package dev.interlock.testkit.contract.kind;

import dev.interlock.Candidate;
import dev.interlock.Interlock;
import dev.interlock.LeaderTask;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Work under a lock of this name that goes on until it is let go, whatever it is told. */
final class StubbornWork {

    /** Whose code works. */
    enum Form {
        /** A leader's task ignores its interrupt. */
        TASK(false),
        /** A leader's task closes its client, and goes on. */
        TASK_THAT_CLOSES(true),
        /** A candidate does not come to its end. */
        ENDED(false),
        /** A candidate closes its client while it is elected, and goes on. */
        ELECTED_THAT_CLOSES(true),
        /** A body does not return. */
        BODY(false),
        /** A body closes its client, and goes on. */
        BODY_THAT_CLOSES(true);

        private final boolean closes;

        Form(boolean closes) {
            this.closes = closes;
        }
    }

    private final Interlock client;
    private final Form form;
    private final AtomicInteger atWork;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger most = new AtomicInteger();

    /**
     * Begins to compete for the lock.
     *
     * @param client of this work alone
     * @param atWork counts all that work under the lock at this moment
     */
    StubbornWork(Interlock client, String name, Form form, AtomicInteger atWork) {
        this.client = client;
        this.form = form;
        this.atWork = atWork;
        switch (form) {
            case TASK, TASK_THAT_CLOSES -> client.election(name).join(task());
            case ENDED, ELECTED_THAT_CLOSES -> client.election(name).join(candidate(form.closes));
            case BODY, BODY_THAT_CLOSES -> start(() -> client.lock(name).run(this::work));
        }
    }

    private static void start(Runnable body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IllegalStateException e) {
                        // The client was closed before the body began.
                    }
                },
                "stubborn");
        thread.setDaemon(true);
        thread.start();
    }

    private LeaderTask task() {
        return leadership -> work();
    }

    private Candidate candidate(boolean works) {
        return new Candidate() {
            @Override
            public void elected(Lease leadership) {
                if (works) {
                    work();
                } else {
                    enter();
                }
            }

            @Override
            public void ended(Lease leadership, LeadershipEnd how) {
                if (!works) {
                    persist();
                    atWork.decrementAndGet();
                }
            }
        };
    }

    private void enter() {
        most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
        begun.countDown();
    }

    private void work() {
        enter();
        if (form.closes) {
            client.close();
            closed.countDown();
        }
        persist();
        atWork.decrementAndGet();
    }

    private void persist() {
        while (true) {
            try {
                end.await();
                return;
            } catch (InterruptedException e) {
                // This is what it ignores.
            }
        }
    }

    /** Returns when it works under the lock, and false if it does not in this time. */
    boolean awaitBegun(Duration limit) {
        try {
            return begun.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closes the client, or waits until the work has. */
    void closeClient() {
        if (form.closes && begun.getCount() == 0) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        client.close();
    }

    /** Lets the work come to its end. */
    void letGo() {
        end.countDown();
    }

    /** The most that were at work when it began, itself among them. */
    int mostAtWork() {
        return most.get();
    }
}
