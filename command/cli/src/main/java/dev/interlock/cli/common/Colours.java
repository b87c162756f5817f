package dev.interlock.cli.common;

import java.util.Locale;

/** Colours on one of the standard streams, or none if it is no terminal that has them, or {@code NO_COLOR} is set. */
public enum Colours {
    /** The stream gets text as it is. */
    OFF,
    /** The stream is a terminal with colours. */
    ON;

    /** What a piece of text is. Only the eight colours that every palette has. */
    public enum Role {
        /** A heading. */
        HEADING("1"),
        /** As it should be. */
        GOOD("32"),
        /** Something to look at. */
        WARNING("33"),
        /** Something is wrong. */
        BAD("1;31"),
        /** The line that is chosen, or a bar. */
        REVERSE("7");

        private final String code;

        Role(String code) {
            this.code = code;
        }
    }

    /** For standard output. */
    public static Colours ofOutput() {
        return of(Terminal.canRedraw());
    }

    /** For standard error. */
    public static Colours ofErrors() {
        return of(Terminal.showsErrors());
    }

    private static Colours of(boolean terminal) {
        String refused = System.getenv("NO_COLOR");
        return terminal && (refused == null || refused.isEmpty()) ? ON : OFF;
    }

    /**
     * The text in the colour of its role. Escape it before: only the colour's own control characters may reach the
     * terminal.
     */
    public String paint(Role role, String text) {
        return this == OFF || text.isEmpty() ? text : String.format(Locale.ROOT, "\033[%sm%s\033[0m", role.code, text);
    }
}
