package dev.interlock.cli.demo;

/**
 * What a worker said.
 *
 * @param worker who
 * @param word the kind of event
 * @param detail what belongs to it: a token, an outcome, or nothing
 * @param nanos when it was heard, by the monotonic clock of this process
 */
record Event(Worker worker, Word word, String detail, long nanos) {

    /** The kinds, and the words on the line. */
    enum Word {
        /** It is connected and waits for {@code go}. */
        READY,
        /** It asks for the lock. */
        ASKS,
        /** It holds the lock; with the token. */
        HOLDS,
        /** It has read the number, still holds the lock, and waits for {@code continue} before it writes. */
        SITS,
        /**
         * It has written, and reports it to the register; with the token. Answered by {@code accepted} or
         * {@code refused}.
         */
        WRITES,
        /** It has released the lock; with the outcome. */
        RELEASES,
        /** It ends, as told. */
        LEAVES,
        /** Its output has ended: the process is gone. */
        ENDED
    }

    /** The token in the detail. */
    long token() {
        return Long.parseLong(detail);
    }
}
