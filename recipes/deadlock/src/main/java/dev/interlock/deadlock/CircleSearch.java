package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.deadlock.DeadlockException.Member;
import dev.interlock.deadlock.Records.Known;
import dev.interlock.deadlock.WaitGraph.Circle;
import dev.interlock.spi.LockId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One search for the circle of a wait: asks the store who holds the name, reads whether these wait in turn, and so on.
 * It asks once for each name, and once for each client that stands at one of them.
 */
final class CircleSearch {

    /** A chain of waits that is longer is not followed to its end: a search must not load the store. */
    private static final int MOST_NAMES = 256;

    private final Function<LockId, LockStatus> inspect;
    private final Function<String, Known> read;
    private final Map<LockId, LockStatus> names = new HashMap<>();
    private final Map<String, Known> clients = new HashMap<>();
    private final Set<Wait> waits = new LinkedHashSet<>();
    private final Deque<LockId> next = new ArrayDeque<>();

    /**
     * @param inspect asks the store for the status of a name
     * @param read reads the waits of a client
     */
    CircleSearch(Function<LockId, LockStatus> inspect, Function<String, Known> read) {
        this.inspect = inspect;
        this.read = read;
    }

    /** Asks this client's store. */
    static LockStatus inspect(Interlock client, LockId id) {
        return switch (id.kind()) {
            case LOCK -> client.lock(id.name()).inspect();
            case READ_WRITE -> client.readWriteLock(id.name()).inspect();
            case SEMAPHORE -> client.semaphore(id.name(), 1).inspect();
            default -> throw new IllegalArgumentException("Nobody holds a name of this kind: " + id);
        };
    }

    /** The circle that this wait has closed; null if there is none, or another came later. */
    @Nullable
    Circle at(Wait start) {
        add(start);
        while (!next.isEmpty() && names.size() < MOST_NAMES) {
            LockId id = next.remove();
            if (!names.containsKey(id)) {
                follow(id);
            }
        }
        return new WaitGraph(names, waits).closedBy(start);
    }

    private void add(Wait wait) {
        if (waits.add(wait)) {
            next.add(wait.id());
        }
    }

    private void follow(LockId id) {
        LockStatus status = inspect.apply(id);
        names.put(id, status);
        for (LockStatus.Holder holder : status.holders()) {
            long fence = WaitGraph.fenceOf(holder.token());
            for (Wait wait : waitsOf(holder.owner())) {
                if (wait.held().stream()
                        .anyMatch(hold -> hold.fence() == fence && hold.id().equals(id))) {
                    add(wait);
                }
            }
        }
        if (WaitGraph.hasOrderAmongFitting(id.kind())) {
            followWaiters(id, status);
        }
    }

    private void followWaiters(LockId id, LockStatus status) {
        Set<Wait> others = new LinkedHashSet<>();
        status.waiters().forEach(waiter -> others.addAll(waitsOf(waiter.owner())));
        // Those behind a holder of their own client are not listed in the store.
        status.holders().forEach(holder -> others.addAll(waitsOf(holder.owner())));
        others.stream().filter(wait -> wait.id().equals(id)).forEach(this::add);
    }

    private List<Wait> waitsOf(String owner) {
        return client(WaitGraph.clientOf(owner)).waits();
    }

    private Known client(String id) {
        Known known = clients.get(id);
        if (known == null) {
            known = read.apply(id);
            clients.put(id, known);
        }
        return known;
    }

    /** The circle, for people. */
    DeadlockException explain(Circle circle) {
        return new DeadlockException(circle.members().stream()
                .map(wait -> new Member(
                        party(wait),
                        wait.id().name(),
                        wait.id().kind(),
                        wait.mode(),
                        wait.held().stream()
                                .map(hold -> hold.id().name())
                                .distinct()
                                .toList()))
                .toList());
    }

    private Party party(Wait wait) {
        return client(wait.client()).party().withThread(wait.thread());
    }
}
