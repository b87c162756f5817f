package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/**
 * Shows who holds and who waits: {@code GET /actuator/locks}, {@code GET /actuator/locks/{name}}. {@code DELETE
 * /actuator/locks/{name}} ends the claims of the holders; it is off unless {@code management.endpoint.locks.access} is
 * {@code unrestricted}. Over HTTP see {@link LocksWebExtension}.
 */
// The annotation of Spring tells the actuator which parameters may be absent: Boot 3 knows no other.
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public final class LocksEndpoint {

    private static final int DEFAULT_LIMIT = 100;
    /** The most to show, and to count: the store has to send them all. */
    private static final int MAX_LIMIT = 10_000;

    private final Map<String, Interlock> clients;

    LocksEndpoint(Map<String, Interlock> clients) {
        this.clients = Map.copyOf(clients);
    }

    /**
     * The locks that are held now.
     *
     * @param prefix how the names begin; all if absent
     * @param limit the most to show, 1 to 10,000; 100 if absent
     * @param client the name of the {@code Interlock} bean; the only one if absent
     * @throws IllegalArgumentException if the limit or the client is none
     */
    @ReadOperation
    public Locks list(@Nullable String prefix, @Nullable Integer limit, @Nullable String client) {
        int most = limit == null ? DEFAULT_LIMIT : limit;
        if (most < 1 || most > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ": " + most);
        }
        // One more, to know whether that is all.
        Interlock interlock = client(client);
        String begin = prefix == null ? "" : prefix;
        List<LockStatus> found = interlock.administration().list(begin, most + 1);
        boolean complete = found.size() <= most;
        return new Locks(
                found.stream()
                        .limit(most)
                        .map(interlock.administration()::withLocalWaiters)
                        .map(Lock::of)
                        .toList(),
                complete,
                complete ? Integer.valueOf(found.size()) : count(interlock, begin, most));
    }

    /** How many there are, as of a moment later; null if nobody knows. */
    private static @Nullable Integer count(Interlock interlock, String prefix, int shown) {
        if (shown >= MAX_LIMIT) {
            return null;
        }
        try {
            int counted = interlock.administration().list(prefix, MAX_LIMIT + 1).size();
            // If others have let go since, the number is no total.
            return counted > shown && counted <= MAX_LIMIT ? counted : null;
        } catch (StoreUnavailableException e) {
            // The list is whole as far as it goes. To have it matters more than to know what it leaves out.
            return null;
        }
    }

    /** Who holds a name, and who waits for it; an entry for each kind of lock under which it is in use. */
    @ReadOperation
    public Locks inspect(@Selector String name, @Nullable String client) {
        Interlock interlock = client(client);
        List<Lock> locks = interlock.administration().inspect(name).stream()
                .map(interlock.administration()::withLocalWaiters)
                .map(Lock::of)
                .toList();
        return new Locks(locks, true, locks.size());
    }

    /** Ends the claims of those who hold the name now. */
    @DeleteOperation
    public Forced force(@Selector String name, @Nullable String client) {
        Interlock interlock = client(client);
        boolean any = false;
        for (LockStatus seen : interlock.administration().inspect(name)) {
            any |= seen.isLocked() && interlock.administration().forceUnlock(seen);
        }
        return new Forced(name, any);
    }

    private Interlock client(@Nullable String name) {
        if (name == null && clients.size() == 1) {
            return clients.values().iterator().next();
        }
        Interlock found = name == null ? null : clients.get(name);
        if (found == null) {
            throw new IllegalArgumentException((name == null ? "There are several clients" : "There is no such client")
                    + ": add ?client= with one of "
                    + clients.keySet().stream().sorted().toList());
        }
        return found;
    }

    /**
     * Some locks.
     *
     * @param complete whether these are all; false if there are more than the limit allowed
     * @param total how many there are in all; null if they were not counted, such as more than 10,000
     */
    public record Locks(List<Lock> locks, boolean complete, @Nullable Integer total) {}

    /** What a forced release has found. */
    public record Forced(String name, boolean wasHeld) {}

    /**
     * A lock.
     *
     * @param kind lock, read_write, semaphore or latch
     * @param count the capacity of a semaphore, what is left of a latch, else 1
     */
    public record Lock(String name, String kind, int count, List<Holder> holders, List<Waiter> waiters) {
        static Lock of(LockStatus status) {
            return new Lock(
                    status.name(),
                    status.kind().name().toLowerCase(java.util.Locale.ROOT),
                    status.count(),
                    status.holders().stream().map(Holder::of).toList(),
                    status.waiters().stream().map(Waiter::of).toList());
        }
    }

    /** Who holds. Times are milliseconds of the store's clock; a lease without an end has no rest. */
    public record Holder(
            String owner,
            String host,
            long pid,
            String application,
            String thread,
            String mode,
            long heldForMillis,
            @Nullable Long remainingLeaseMillis,
            long token) {
        static Holder of(LockStatus.Holder holder) {
            return new Holder(
                    holder.owner(),
                    holder.party().host(),
                    holder.party().pid(),
                    holder.party().application(),
                    holder.party().thread(),
                    holder.mode().toString(),
                    holder.heldFor().toMillis(),
                    holder.remainingLease().compareTo(LockStatus.NO_END) < 0
                            ? holder.remainingLease().toMillis()
                            : null,
                    holder.token());
        }
    }

    /** Who waits. Times are milliseconds of the store's clock. */
    public record Waiter(
            String owner,
            String host,
            long pid,
            String application,
            String thread,
            String mode,
            long waitingForMillis) {
        static Waiter of(LockStatus.Waiter waiter) {
            return new Waiter(
                    waiter.owner(),
                    waiter.party().host(),
                    waiter.party().pid(),
                    waiter.party().application(),
                    waiter.party().thread(),
                    waiter.mode().toString(),
                    waiter.waitingFor().toMillis());
        }
    }
}
