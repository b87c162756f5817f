package dev.interlock.mongodb;

import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * For whom a free lock is kept.
 *
 * @param owner the waiting claim
 * @param until until when, in milliseconds of the server's clock
 */
record Turn(String owner, long until) {

    /** Null if it is nobody's turn, or it is over. */
    static @Nullable Turn read(Document document, long now) {
        if (document.get("turn") == null) {
            return null;
        }
        if (!(document.get("turn") instanceof Document turn)) {
            throw Fields.unknown("turn");
        }
        if (Fields.millis(turn, "until") <= now) {
            return null;
        }
        return new Turn(Fields.text(turn, "owner"), Fields.millis(turn, "until"));
    }

    static @Nullable Document write(@Nullable Turn turn) {
        return turn == null ? null : new Document("owner", turn.owner).append("until", Fields.moment(turn.until));
    }
}
