package dev.interlock.simulation;

/**
 * Something that was seen from outside of the engine.
 *
 * @param atNanos the true time
 * @param kind what it was
 * @param process the process; -1 for the server
 * @param call the number of the call; -1 for none
 * @param name the number of the name; -1 for none
 * @param value see the kind
 * @param other see the kind
 */
record Event(long atNanos, Kind kind, int process, int call, int name, long value, long other) {

    private static final String PROCESSES = "ABCDEF";

    /** How people call a process, or the server. */
    static String processName(int process) {
        return process < 0 ? "server" : PROCESSES.substring(process, process + 1);
    }

    /** What can be seen. */
    enum Kind {
        /** A user asks. */
        ASKED,
        /** A user has a lease. Value: its token. Other: how much of the name. */
        GRANTED,
        /** A user is refused: somebody else has it. */
        REFUSED,
        /** A user is told that the store is silent. */
        FAILED,
        /** A user has given up. */
        LEFT,
        /** A lease says that it is valid. Value: its token. */
        VALID,
        /** A lease says that it is over. Value: its token. */
        INVALID,
        /** A holder lets go. Value: its token. */
        RELEASES,
        /** A holder knows what became of its release. Value: the ordinal of the status. Other: of the cause, or -1. */
        RELEASED,
        /** A holder has added its callback for a loss. */
        LISTENS,
        /** A holder is told of a loss. Value: the ordinal of the cause. */
        LOST,
        /** A fault begins. Value: the ordinal of its kind. */
        FAULT,
        /** A fault is over. Value: the ordinal of its kind. */
        FAULT_OVER,
        /** A process sends a request. Value: the ordinal of the verb. */
        SENT,
        /** A request arrives after its sender has given it up. */
        LATE,
        /** A request or a reply is lost on the way. Value: the ordinal of the verb. */
        VANISHED,
        /** A reply arrives. Value: the ordinal of the verb. Other: 1 if it grants or confirms. */
        REPLIED,
        /** A wake arrives. */
        WOKEN,
        /**
         * The server, or a quorum, grants a claim. Value: its fence. Other: since when it was asked for, in true time.
         */
        SERVER_GRANTS,
        /** The server keeps a claim for some time. Value: its fence. Other: until when, in true time. */
        SERVER_KEEPS,
        /** A claim is gone from the server. Value: its fence. */
        SERVER_ENDS,
        /** The server has nobody left that holds the name. */
        SERVER_FREE,
        /** The server does not keep its word: what it has granted up to now may not stand. */
        WORD_BROKEN,
        /** The server has a claim of a live process that nobody there has. Value: its fence, or 0 if it waits. */
        NOBODYS,
        /** A process is not at rest at the end. */
        RESTLESS,
        /** The engine has thrown or logged an error. Value: its number in the history. */
        ERROR,
        /** The run does not end. Value: how many events its last second has had so far. */
        ENDLESS
    }
}
