package dev.interlock.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which a client hears of its wakes at one server. In a cluster it is a sharded one, so that a wake
 * stays with the server that gives it; where the server has none, or this user may not listen to them, it is one as
 * elsewhere.
 *
 * <p>A sharded channel has a slot, and must be on the server where the locks are that are waited for: so its name has a
 * number of the slot of the first of these. It says nothing of the others, which may be of any slot of that server.
 * When the slot moves away the server ends the subscription, and the next claim that waits chooses another. Those that
 * are listed meanwhile are told nothing, and ask again by themselves.
 */
final class Inbox {

    private final Subscriptions at;
    private final String clientId;
    private final Place plain;
    private volatile boolean unsharded;

    /** Written under this monitor, under which nothing is sent. */
    private volatile Place place;

    /**
     * One of its channels.
     *
     * @param word how the entry of a claim ends that waits to be told there: {@code " @<number>"}, or nothing if it is
     *     no sharded channel
     */
    private record Place(String channel, String word) {
        boolean isSharded() {
            return !word.isEmpty();
        }
    }

    Inbox(Subscriptions at, String clientId) {
        this.at = at;
        this.clientId = clientId;
        this.plain = new Place(Keys.inboxChannel(clientId), "");
        this.place = plain;
    }

    /** How the entry of a claim ends that waits to be told here. */
    String word() {
        return place.word();
    }

    /** The same; null if a wake would not be heard now. */
    @Nullable
    String wordIfUp() {
        Place here = place;
        return at.isUp(here.channel()) ? here.word() : null;
    }

    /**
     * Listens, unless it does so already. The stage must not be completed by others.
     *
     * @param slot of the lock that is waited for; -1 if there is no cluster
     */
    CompletableFuture<Void> open(int slot) {
        Place chosen = choose(slot);
        if (!chosen.isSharded()) {
            return at.open(chosen.channel());
        }
        return at.openSharded(chosen.channel()).exceptionallyCompose(failure -> {
            if (!Failures.isRefusal(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            unsharded = true;
            return open(slot);
        });
    }

    private synchronized Place choose(int slot) {
        if (slot < 0 || unsharded) {
            place = plain;
        } else if (!place.isSharded() || !at.isWanted(place.channel())) {
            int number = Slots.find(slot);
            place = new Place(Keys.inboxChannel(clientId, number), " @" + number);
        }
        return place;
    }
}
