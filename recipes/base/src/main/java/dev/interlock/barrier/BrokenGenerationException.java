package dev.interlock.barrier;

import dev.interlock.Party;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import org.jspecify.annotations.Nullable;

/**
 * The generation in which the caller waited was broken: not all of its parties came. It is over for all who waited in
 * it, and the next party to arrive begins a new one.
 */
public final class BrokenGenerationException extends BrokenBarrierException {

    /** Why a generation was broken. */
    public enum Reason {
        /** The time of a party was over before all had come. */
        TIMED_OUT(3, "gave up because its time was over"),
        /** The thread of a party was interrupted. */
        INTERRUPTED(4, "gave up because its thread was interrupted"),
        /** The stage of a party was cancelled, or ended by its user in another way. */
        CANCELLED(5, "gave up because its stage was cancelled"),
        /**
         * The lease of a party ended: its process has died, was paused or cut off from the store for too long, or has
         * closed its client.
         */
        LEASE_ENDED(6, "does not wait any more: it has died, closed its client, or lost its lease"),
        /** Somebody has reset the barrier. */
        RESET(7, "has reset the barrier");

        /** In the store; see {@link Outcome}. */
        private final int code;

        private final String text;

        Reason(int code, String text) {
            this.code = code;
            this.text = text;
        }

        int code() {
            return code;
        }
    }

    private static final long serialVersionUID = 1;

    private final transient @Nullable Party party;
    private final Reason reason;
    private final long generation;

    BrokenGenerationException(String barrier, long generation, Reason reason, @Nullable Party party) {
        super("Generation " + generation + " of barrier '" + barrier + "' is broken: " + nameOf(reason, party) + " "
                + reason.text);
        this.generation = generation;
        this.reason = reason;
        this.party = party;
    }

    private static String nameOf(Reason reason, @Nullable Party party) {
        if (party == null) {
            return reason == Reason.RESET ? "somebody" : "a party that had just arrived";
        }
        String application = party.application().isEmpty() ? "" : " (" + party.application() + ")";
        return "process " + party.pid() + " on " + party.host() + application;
    }

    /** {@return why the generation was broken} */
    public Reason reason() {
        return reason;
    }

    /**
     * {@return the process because of which the generation is broken} Empty if that had arrived after this caller last
     * looked, within some seconds, and for {@link Reason#RESET}.
     */
    public Optional<Party> party() {
        return Optional.ofNullable(party);
    }

    /** {@return the number of the generation} */
    public long generation() {
        return generation;
    }
}
