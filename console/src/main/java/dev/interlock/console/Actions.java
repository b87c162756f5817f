package dev.interlock.console;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Ends claims by force, and asks holders to let go, and writes down who did it and why. Thread-safe. */
final class Actions {

    private final History history;
    private final InstantSource clock;

    Actions(History history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    /**
     * Ends the claim of the holder with this owner and token. A holder that has come since is not touched: the store
     * ends a claim by its owner, which no other claim has.
     *
     * @param by the address of the caller
     */
    Action force(StoreWatch watch, SeenName.Key key, String owner, String token, String by, String reason) {
        Interlock client = watch.store().client();
        for (LockStatus status : inspect(watch, key)) {
            for (Holder holder : status.holders()) {
                if (holder.owner().equals(owner)
                        && String.valueOf(holder.token()).equals(token)) {
                    Action.Outcome outcome = end(watch, client, status, holder);
                    Action action = written(watch, Action.Type.FORCE, key, by, reason, holder, outcome);
                    watch.lookNow();
                    if (outcome == Action.Outcome.GONE) {
                        throw changed(key);
                    }
                    return action;
                }
            }
        }
        throw changed(key);
    }

    private static Problem changed(SeenName.Key key) {
        return new Problem(
                409,
                "holder_changed",
                "The holder that was meant does not hold '" + key.name()
                        + "' any more. Nobody was touched: look again.");
    }

    private static Action.Outcome end(StoreWatch watch, Interlock client, LockStatus status, Holder holder) {
        LockStatus one = new LockStatus(status.name(), status.kind(), List.of(holder), List.of(), status.count());
        watch.force(holder.owner(), true);
        try {
            if (client.forceUnlock(one)) {
                return Action.Outcome.RELEASED;
            }
            watch.force(holder.owner(), false);
            return Action.Outcome.GONE;
        } catch (StoreUnavailableException e) {
            // It may have been ended.
            return Action.Outcome.FAILED;
        }
    }

    /** Asks all who hold the name, and returns an action for each of them. */
    List<Action> ask(StoreWatch watch, SeenName.Key key, String by, String reason) {
        Interlock client = watch.store().client();
        boolean shared = key.kind() == LockKind.READ_WRITE;
        if (!watch.store().canAsk() || (key.kind() != LockKind.LOCK && !shared)) {
            throw new Problem(
                    409,
                    "not_supported",
                    watch.store().canAsk()
                            ? "The holders of a " + key.kindText() + " cannot be asked to let go: end a claim by force."
                            : "This store cannot ask holders to let go: end a claim by force.");
        }
        List<Holder> holders = new ArrayList<>();
        inspect(watch, key).forEach(status -> holders.addAll(status.holders()));
        if (holders.isEmpty()) {
            throw new Problem(409, "holder_changed", "Nobody holds '" + key.name() + "' any more. Nobody was asked.");
        }
        DistributedLock lock = shared ? client.readWriteLock(key.name()).writeLock() : client.lock(key.name());
        Action.Outcome outcome = asked(lock);
        List<Action> actions = holders.stream()
                .map(holder -> written(watch, Action.Type.ASK, key, by, reason, holder, outcome))
                .toList();
        watch.lookNow();
        return actions;
    }

    private static Action.Outcome asked(DistributedLock lock) {
        try {
            return lock.requestRevocation() ? Action.Outcome.ASKED : Action.Outcome.GONE;
        } catch (StoreUnavailableException e) {
            return Action.Outcome.FAILED;
        }
    }

    private static List<LockStatus> inspect(StoreWatch watch, SeenName.Key key) {
        try {
            return watch.store().client().inspect(key.name()).stream()
                    .filter(status -> status.kind() == key.kind())
                    .toList();
        } catch (StoreUnavailableException | IllegalStateException e) {
            throw new Problem(
                    503, "store_unavailable", watch.store().explanation().apply(e));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private Action written(
            StoreWatch watch,
            Action.Type type,
            SeenName.Key key,
            String by,
            String reason,
            Holder holder,
            Action.Outcome outcome) {
        Action action = new Action(
                type,
                watch.store().uri(),
                key.name(),
                key.kindText(),
                clock.instant(),
                by,
                reason,
                holder.owner(),
                holder.token(),
                SeenClaim.shortened(holder.party()),
                outcome);
        try {
            history.act(action);
        } catch (IOException e) {
            throw new Problem(
                    500,
                    "history_failed",
                    "It is done (" + action.json(watch.id()).get("outcome") + "), but could not be written down: "
                            + e.getMessage());
        }
        return action;
    }
}
