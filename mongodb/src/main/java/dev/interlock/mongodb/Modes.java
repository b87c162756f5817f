package dev.interlock.mongodb;

import dev.interlock.spi.Mode;
import org.bson.Document;

/** What a claim wants of its name, in words of the document. */
final class Modes {

    private Modes() {}

    /** Adds the mode to an entry. Only claims that hold or wait are written down. */
    static Document write(Mode mode, Document entry) {
        if (mode instanceof Mode.Permits permits) {
            return entry.append("mode", "permits")
                    .append("permits", permits.count())
                    .append("of", permits.capacity());
        }
        return entry.append("mode", word(mode));
    }

    static Mode read(Document entry) {
        String word = Fields.text(entry, "mode");
        return switch (word) {
            case "exclusive" -> Mode.exclusive();
            case "fair" -> Mode.fair();
            case "shared" -> Mode.shared();
            case "permits" -> new Mode.Permits(Fields.count(entry, "permits"), Fields.count(entry, "of"));
            case "zero" -> new Mode.AwaitZero();
            default ->
                throw new IllegalStateException("The mode of an entry must be one of this version's: mode=" + word
                        + "; a newer version wrote it");
        };
    }

    private static String word(Mode mode) {
        if (mode instanceof Mode.Exclusive exclusive) {
            return exclusive.inOrder() ? "fair" : "exclusive";
        } else if (mode instanceof Mode.Shared) {
            return "shared";
        } else if (mode instanceof Mode.AwaitZero) {
            return "zero";
        }
        throw new IllegalArgumentException("A claim of this mode neither holds nor waits: mode=" + mode);
    }
}
