package dev.interlock.mongodb;

/** One verb, as a piece of blocking work. */
interface Verb<T> {

    /** Does it. Before each command that writes it asks whether somebody still wants the answer. */
    T run(Documents documents, Wanted wanted);

    /** Whether anybody waits for the answer. */
    interface Wanted {

        /** Throws if nobody does: a claim that was given up must not be made afterwards. */
        void check();
    }
}
