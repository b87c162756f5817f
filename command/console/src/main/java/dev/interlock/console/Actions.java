package dev.interlock.console;

import dev.interlock.Interlock;
import dev.interlock.LockAdministration;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Ends claims by force, and asks holders to let go. It writes down who does it and why before it is done, and what came
 * of it afterwards: so none is missing from the history if the console dies in between. Thread-safe.
 */
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
                    Action begun = begun(watch, Action.Type.FORCE, key, by, reason, holder);
                    Action action = recorded(watch, List.of(begun), () -> end(watch, client, status, holder))
                            .get(0);
                    if (action.outcome() == Action.Outcome.GONE) {
                        throw holderChanged(key);
                    }
                    return action;
                }
            }
        }
        throw holderChanged(key);
    }

    private static Problem holderChanged(SeenName.Key key) {
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
            if (client.administration().forceUnlock(one)) {
                return Action.Outcome.RELEASED;
            }
            watch.force(holder.owner(), false);
            return Action.Outcome.GONE;
        } catch (StoreUnavailableException | IllegalStateException e) {
            // It may have been ended.
            return Action.Outcome.FAILED;
        }
    }

    /** Asks all who hold the name as this kind, and returns an action for each of them. */
    List<Action> ask(StoreWatch watch, SeenName.Key key, String by, String reason) {
        LockAdministration administration = watch.store().client().administration();
        boolean canBeAsked = key.kind() == LockKind.LOCK || key.kind() == LockKind.READ_WRITE;
        if (!watch.store().canAsk() || !canBeAsked) {
            throw new Problem(
                    409,
                    "not_supported",
                    watch.store().canAsk()
                            ? "The holders of a " + key.kindText() + " cannot be asked to let go: end a claim by force."
                            : "This store cannot ask holders to let go: end a claim by force.");
        }
        LockStatus held = inspect(watch, key).stream()
                .filter(status -> !status.holders().isEmpty())
                .findFirst()
                .orElseThrow(() -> new Problem(
                        409, "holder_changed", "Nobody holds '" + key.name() + "' any more. Nobody was asked."));
        List<Action> begun = held.holders().stream()
                .map(holder -> begun(watch, Action.Type.ASK, key, by, reason, holder))
                .toList();
        return recorded(watch, begun, () -> asked(administration, held));
    }

    private static Action.Outcome asked(LockAdministration administration, LockStatus held) {
        try {
            return administration.requestRevocation(held) ? Action.Outcome.ASKED : Action.Outcome.GONE;
        } catch (StoreUnavailableException | IllegalStateException e) {
            return Action.Outcome.FAILED;
        }
    }

    private static List<LockStatus> inspect(StoreWatch watch, SeenName.Key key) {
        try {
            return watch.store().client().administration().inspect(key.name()).stream()
                    .filter(status -> status.kind() == key.kind())
                    .toList();
        } catch (StoreUnavailableException | IllegalStateException e) {
            throw new Problem(
                    503, "store_unavailable", watch.store().explanation().apply(e));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private Action begun(
            StoreWatch watch, Action.Type type, SeenName.Key key, String by, String reason, Holder holder) {
        return new Action(
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
                Action.Outcome.BEGUN);
    }

    /** Does what all these actions are, unless it cannot be written down first. */
    private List<Action> recorded(StoreWatch watch, List<Action> begun, Supplier<Action.Outcome> deed) {
        List<Long> ids;
        try {
            ids = history.begin(begun);
        } catch (IOException e) {
            throw failed("Nothing was done, because it cannot be written down: ", e);
        }
        Action.Outcome outcome = deed.get();
        watch.lookNow();
        try {
            history.conclude(ids, outcome);
        } catch (IOException e) {
            String word = outcome.name().toLowerCase(Locale.ROOT);
            throw failed("The outcome is '" + word + "', but the history may have it as begun only: ", e);
        }
        return begun.stream().map(action -> action.with(outcome)).toList();
    }

    private static Problem failed(String what, IOException cause) {
        return new Problem(500, "history_failed", what + cause.getMessage());
    }
}
