package dev.interlock.redis.command;

import io.lettuce.core.cluster.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * An error that means: send the command to another server, or again later.
 *
 * @param kind what to do
 * @param slot the slot of {@link Kind#MOVED} and {@link Kind#ASK}
 * @param host the host to ask; empty for the same host
 * @param port the port to ask
 */
public record Redirect(Kind kind, int slot, String host, int port) {

    private static final int LAST_PORT = 65_535;

    /** What to do. */
    public enum Kind {
        /** The slot belongs to another server: send the command there. */
        MOVED,
        /** Another server is importing the slot and has the key: send this command there. */
        ASK,
        /** The keys are split between two servers, or the server is loading its data: send the command again later. */
        LATER,
        /**
         * The slot has no server at present, or the cluster is down: refresh the slots, and send the command again
         * later.
         */
        DOWN,
        /** The server has become a replica: connect to the master, and send the command again later. */
        DEMOTED
    }

    /** Parses an error. Returns null if it is an answer. */
    public static @Nullable Redirect of(String error) {
        if (error.startsWith("MOVED ")) {
            return place(Kind.MOVED, error);
        }
        if (error.startsWith("ASK ")) {
            return place(Kind.ASK, error);
        }
        if (error.startsWith("TRYAGAIN") || error.startsWith("LOADING")) {
            return new Redirect(Kind.LATER, -1, "", 0);
        }
        if (error.startsWith("CLUSTERDOWN")) {
            return new Redirect(Kind.DOWN, -1, "", 0);
        }
        // Redis 6 puts the error of a command in a script behind a text of its own.
        if (error.startsWith("READONLY") || error.contains("-READONLY ")) {
            return new Redirect(Kind.DEMOTED, -1, "", 0);
        }
        return null;
    }

    private static @Nullable Redirect place(Kind kind, String error) {
        String[] words = error.split(" ", -1);
        int colon = words.length < 3 ? -1 : words[2].lastIndexOf(':');
        try {
            int slot = colon < 0 ? -1 : Integer.parseInt(words[1]);
            int port = colon < 0 ? 0 : Integer.parseInt(words[2].substring(colon + 1));
            if (slot >= 0 && slot < SlotHash.SLOT_COUNT && port > 0 && port <= LAST_PORT) {
                return new Redirect(kind, slot, words[2].substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            // As a number that is none of a slot or a port.
        }
        // Not an error of Redis, so it is an answer.
        return null;
    }
}
