package dev.interlock.mongodb;

import java.time.Instant;
import java.util.Date;
import org.bson.Document;

/** Fields of a document that may be missing. */
final class Fields {

    /** The moment of what never was. */
    static final long NEVER = Long.MIN_VALUE;

    private Fields() {}

    /** A number, whatever the width it was written in; 0 if it is missing. */
    static long number(Document document, String field) {
        return document.get(field) instanceof Number number ? number.longValue() : 0;
    }

    /** A number of permits, 1 at least: a negative one would make room for others. */
    static int count(Document document, String field) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, number(document, field)));
    }

    /** A moment, in milliseconds; {@link #NEVER} if it is missing. */
    static long millis(Document document, String field) {
        return document.get(field) instanceof Date date ? date.toInstant().toEpochMilli() : NEVER;
    }

    /** A moment, as the driver writes it. */
    static Instant moment(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
