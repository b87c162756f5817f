package dev.interlock.support;

import java.util.Objects;

/**
 * What one check of a store has found, for people. The texts may quote a server: whoever shows them escapes control
 * characters. They contain no password.
 *
 * @param verdict how good or bad it is
 * @param check what was looked at, in a word or two: {@code eviction}
 * @param state how it is
 * @param advice what to do; empty if there is nothing to do
 */
public record Finding(Verdict verdict, String check, String state, String advice) {

    /** How good or bad a finding is, from the best to the worst. */
    public enum Verdict {
        /** As it should be. */
        GOOD,
        /** Nothing is wrong, but somebody who relies on the store should know it. */
        NOTE,
        /** It could not be found out, for example because the user lacks a right that locks do not need. */
        UNKNOWN,
        /** Locks work, and can be lost in a case that a setting would exclude. */
        WARNING,
        /** Locks do not work, or two clients can hold one. */
        BAD
    }

    /** Refuses null. */
    public Finding {
        Objects.requireNonNull(verdict);
        Objects.requireNonNull(check);
        Objects.requireNonNull(state);
        Objects.requireNonNull(advice);
    }
}
