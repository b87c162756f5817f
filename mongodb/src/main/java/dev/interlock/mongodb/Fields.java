package dev.interlock.mongodb;

import java.time.Instant;
import java.util.Date;
import java.util.List;
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

    /** A text that must be there. */
    static String text(Document document, String field) {
        if (document.get(field) instanceof String text) {
            return text;
        }
        throw unknown(field);
    }

    /** A text that says something to people, and may be missing. */
    static String text(Document document, String field, String otherwise) {
        return document.get(field) instanceof String text ? text : otherwise;
    }

    /** A list, empty if it is missing. */
    static <T> List<T> list(Document document, String field, Class<T> type) {
        Object value = document.get(field);
        if (value == null) {
            return List.of();
        }
        // Not without those that are of another type: a holder may be one of them.
        if (value instanceof List<?> list && list.stream().allMatch(type::isInstance)) {
            return list.stream().map(type::cast).toList();
        }
        throw unknown(field);
    }

    static IllegalStateException unknown(String field) {
        return new IllegalStateException("A field is not as this version writes it: field=" + field);
    }

    /** A moment, as the driver writes it. */
    static Instant moment(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
