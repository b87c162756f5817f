package dev.interlock.cli.screen;

/**
 * A key that was pressed.
 *
 * @param name which
 * @param character the character of a {@link Name#CHARACTER}; otherwise 0
 */
public record Key(Name name, int character) {

    /** The keys that have a meaning; all others are {@link #OTHER}. */
    public enum Name {
        /** One that writes a character. */
        CHARACTER,
        /** Return. */
        ENTER,
        /** Escape. */
        ESCAPE,
        /** Backspace. */
        BACKSPACE,
        /** The arrow up. */
        UP,
        /** The arrow down. */
        DOWN,
        /** A page up. */
        PAGE_UP,
        /** A page down. */
        PAGE_DOWN,
        /** To the begin. */
        HOME,
        /** To the end. */
        END,
        /** Any other. */
        OTHER
    }

    static Key of(Name name) {
        return new Key(name, 0);
    }

    /** The key that writes this character. */
    public static Key of(char character) {
        return new Key(Name.CHARACTER, character);
    }

    /** Whether it writes this character. */
    public boolean is(char wanted) {
        return name == Name.CHARACTER && character == wanted;
    }
}
