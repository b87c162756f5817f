package dev.interlock.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The channel on which a client hears of its wakes at one server. In a cluster it is a sharded one, so that a wake stays with the server that gives it; where
 * the server has none, or this user may not listen to them, it is one as elsewhere.
 *
 * <p>A sharded channel has a slot, and must be on the server where the locks are that are waited for: so its name has a number of the slot of the first of
 * these. It says nothing of the others, which may be of any slot of that server. When the slot moves away the server ends the subscription, and the next claim
 * that waits chooses another. Those that are listed meanwhile are told nothing, and ask again by themselves.
 */
final class Inbox {

    private final Subscriptions at;
    private final String clientId;
    private volatile boolean unsharded;

    /** What its name has; 0: it is no sharded channel. Written under this monitor, under which nothing is sent. */
    private volatile int number;

    Inbox(Subscriptions at, String clientId) {
        this.at = at;
        this.clientId = clientId;
    }

    /** Whether a wake would be heard now. */
    boolean isUp() {
        return at.isUp(channel(number));
    }

    /** How the entry of a claim ends that waits to be told here: {@code " @<number>"}, or nothing if it is no sharded channel. */
    String word() {
        int chosen = number;
        return chosen == 0 ? "" : " @" + chosen;
    }

    /**
     * Listens, unless it does so already. The stage must not be completed by others.
     *
     * @param slot of the lock that is waited for; -1 if there is no cluster
     */
    CompletableFuture<Void> open(int slot) {
        int chosen = choose(slot);
        if (chosen == 0) {
            return at.open(channel(0));
        }
        return at.openSharded(channel(chosen)).exceptionallyCompose(failure -> {
            if (isPlace(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            unsharded = true;
            return open(slot);
        });
    }

    private synchronized int choose(int slot) {
        if (slot < 0 || unsharded) {
            number = 0;
        } else if (number == 0 || !at.isWanted(channel(number))) {
            number = Slots.find(slot);
        }
        return number;
    }

    /** Whether only this server or this slot is the wrong one, or nothing has been answered at all. */
    private static boolean isPlace(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return !(cause instanceof RedisCommandExecutionException)
                || Redirect.of(String.valueOf(cause.getMessage())) != null;
    }

    private String channel(int of) {
        return of == 0 ? Keys.inboxChannel(clientId) : Keys.inboxChannel(clientId, of);
    }
}
