package dev.interlock.redis.command;

import org.jspecify.annotations.Nullable;

/**
 * What a server answers that is not to answer: to ask elsewhere, or again later.
 *
 * @param kind what is to be done
 * @param slot the slot, with {@link Kind#MOVED} and {@link Kind#ASK}
 * @param host where; empty: at the same host
 * @param port where
 */
public record Redirect(Kind kind, int slot, String host, int port) {

    /** What is to be done. */
    public enum Kind {
        /** Another server has the slot. */
        MOVED,
        /** Another server is about to take over the slot, and has what is asked for. */
        ASK,
        /** Half of what is asked for has been taken over: later. */
        LATER,
        /**
         * The slot has no server at present, or another than is known: later, and with a fresh look at who has what.
         */
        DOWN,
        /** The server has become a replica: the master is elsewhere. */
        DEMOTED
    }

    /** Null if the error is an answer. */
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
        // Redis 6 reports what a script met behind words of its own.
        if (error.startsWith("READONLY") || error.contains("-READONLY ")) {
            return new Redirect(Kind.DEMOTED, -1, "", 0);
        }
        return null;
    }

    private static @Nullable Redirect place(Kind kind, String error) {
        String[] words = error.split(" ", -1);
        int colon = words.length < 3 ? -1 : words[2].lastIndexOf(':');
        try {
            return colon < 0
                    ? null
                    : new Redirect(
                            kind,
                            Integer.parseInt(words[1]),
                            words[2].substring(0, colon),
                            Integer.parseInt(words[2].substring(colon + 1)));
        } catch (NumberFormatException e) {
            // Not a server of Redis: then it is an answer, and an error.
            return null;
        }
    }
}
