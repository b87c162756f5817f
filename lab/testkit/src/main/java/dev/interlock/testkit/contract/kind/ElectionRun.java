package dev.interlock.testkit.contract.kind;

import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.ElectingChild;
import dev.interlock.testkit.process.ProcessNames;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Processes with candidates of one election, which are killed, stopped and cut off, and what they tell. */
final class ElectionRun implements AutoCloseable {

    private final ElectionFaultContract stores;
    private final Duration lease;
    private final int candidates;
    private final boolean honest;
    private final String name = ProcessNames.next();
    private final List<Member> members = new ArrayList<>();
    private final Map<Long, Leading> leaderships = new ConcurrentHashMap<>();
    private final FencedCell cell = new FencedCell();
    private final Random random = new Random();
    private int faults;

    /** For how long somebody certainly led: from a moment after which it was true to one before which it was. */
    private record Leading(long token, String who, long fromNanos, long toNanos) {
        Leading with(Leading later) {
            return later.who.equals(who) ? new Leading(token, who, fromNanos, later.toNanos) : later;
        }
    }

    /** A process, and its way to the store. */
    private final class Member {
        private final @Nullable FaultProxy proxy = stores.proxy();
        private final ChildJvm child = ChildJvm.start(
                ElectingChild.class,
                stores.uri(proxy),
                name,
                lease.toString(),
                Integer.toString(candidates),
                Boolean.toString(honest));
        private final Thread reader = new Thread(this::read, "reader");

        Member begin() {
            child.await("ready", Patience.FULL);
            reader.setDaemon(true);
            reader.start();
            return this;
        }

        private void read() {
            try {
                while (true) {
                    take(child.await("", Patience.FULL).split(" ", -1));
                }
            } catch (AssertionError e) {
                // It has ended, as it has to when it is killed.
            }
        }

        boolean leads(@Nullable Leading leader) {
            return leader != null && leader.who.startsWith(child.pid() + "/");
        }

        void end() {
            child.close();
            if (proxy != null) {
                proxy.close();
            }
        }
    }

    ElectionRun(ElectionFaultContract stores, int processes, int candidates, Duration lease, boolean honest) {
        this.stores = stores;
        this.lease = lease;
        this.candidates = candidates;
        this.honest = honest;
        for (int i = 0; i < processes; i++) {
            members.add(new Member());
        }
        members.forEach(Member::begin);
        awaitLeaderAfter(0);
    }

    private void take(String[] words) {
        switch (words[0]) {
            case "late" -> cell.write(Long.parseLong(words[1]), words[2], value -> value - 1);
            case "leads" -> {
                long token = Long.parseLong(words[1]);
                String who = words[4];
                cell.write(token, who, value -> value + 1);
                // The first answer is known to be true when it was given, the last one when it was asked for.
                Leading seen = new Leading(token, who, Long.parseLong(words[3]), Long.parseLong(words[2]));
                leaderships.merge(token, seen, Leading::with);
            }
            default -> {
                // What is said of the process itself, such as that its output broke off.
            }
        }
    }

    private @Nullable Leading leader() {
        return leaderships.values().stream()
                .max(Comparator.comparingLong(Leading::token))
                .orElse(null);
    }

    private void awaitLeaderAfter(long token) {
        await("a leader").until(() -> isLedAfter(token));
    }

    private boolean isLedAfter(long token) {
        Leading leader = leader();
        return leader != null && leader.token() > token;
    }

    /**
     * Disturbs the process of the leader, or now and then another one, so many times: in turn it is killed, and so on.
     */
    void disturb(int times) {
        for (int i = 0; i < times; i++) {
            pause(random.nextDouble() / 2);
            Leading leader = leader();
            Member victim = random.nextInt(4) == 0
                    ? members.get(random.nextInt(members.size()))
                    : members.stream()
                            .filter(member -> member.leads(leader))
                            .findFirst()
                            .orElse(members.get(0));
            strike(victim, leader == null ? 0 : leader.token());
        }
    }

    private void strike(Member victim, long token) {
        boolean led = victim.leads(leader());
        // Longer than a lease, or shorter.
        double time = random.nextBoolean() ? 2 : 0.5;
        FaultProxy proxy = victim.proxy;
        switch (faults++ % (proxy == null ? 2 : 3)) {
            case 0 -> {
                victim.end();
                members.remove(victim);
                members.add(new Member().begin());
                if (led) {
                    awaitLeaderAfter(token);
                }
            }
            case 1 -> stop(victim, time);
            default -> {
                if (proxy != null) {
                    proxy.blackHole();
                    // Each candidate renews its lease, or asks for its place.
                    await("the fault to strike")
                            .until(() ->
                                    proxy.heldBytes(Direction.TO_SERVER) + proxy.heldBytes(Direction.TO_CLIENT) > 0);
                    pause(time);
                    proxy.heal();
                }
            }
        }
    }

    private static void stop(Member victim, Runnable meanwhile) {
        victim.child.stop();
        meanwhile.run();
        victim.child.resume();
    }

    private void stop(Member victim, double leases) {
        stop(victim, () -> pause(leases));
    }

    /**
     * Stops the leader until another process leads. It writes late if it was stopped just before, or ignores its end.
     *
     * <p>A process that is stopped in a transaction keeps an SQLite file locked for all others. Then it goes on, and is
     * stopped again. One that has lost the leadership on a busy machine may be elected again itself: that deposes
     * nobody.
     */
    void deposeByStopping() {
        await("another leader").pollInSameThread().until(() -> {
            Leading leader = leader();
            Member victim = members.stream()
                    .filter(member -> member.leads(leader))
                    .findFirst()
                    .orElse(null);
            if (victim == null) {
                return false;
            }
            stop(victim, () -> pauseUntil(() -> isLedByAnotherThan(victim), 20));
            return isLedByAnotherThan(victim);
        });
    }

    private boolean isLedByAnotherThan(Member former) {
        return !former.leads(leader());
    }

    /** Waits until a write of a leader that was deposed has been refused. */
    void awaitLateWrite() {
        await("its late write").until(() -> cell.refused() > 0);
    }

    private void pauseUntil(BooleanSupplier isReached, int mostLeases) {
        for (int i = 0; i < 10 * mostLeases && !isReached.getAsBoolean(); i++) {
            pause(0.1);
        }
    }

    private void pause(double leases) {
        LockSupport.parkNanos((long) (leases * lease.toNanos()));
    }

    /** Who has led, and when. */
    HistoryChecker history() {
        HistoryChecker history = new HistoryChecker();
        inOrder()
                .forEach(each ->
                        history.add(new Hold(name, each.who(), each.token(), each.fromNanos(), each.toNanos())));
        return history;
    }

    /** Those of which more than one answer is known. */
    private List<Leading> inOrder() {
        return leaderships.values().stream()
                .filter(each -> each.toNanos() - each.fromNanos() > 0)
                .sorted(Comparator.comparingLong(Leading::token))
                .toList();
    }

    /** The longest time for which nobody has led. */
    Duration longestGap() {
        List<Leading> all = inOrder();
        long longest = 0;
        for (int i = 1; i < all.size(); i++) {
            longest = Math.max(longest, all.get(i).fromNanos() - all.get(i - 1).toNanos());
        }
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        members.forEach(Member::end);
    }
}
