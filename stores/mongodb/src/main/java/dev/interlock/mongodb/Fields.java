package dev.interlock.mongodb;

import dev.interlock.spi.StoreRefusal;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;

/** Fields of a document, which may be missing or written by anybody. */
final class Fields {

    private Fields() {}

    /** A number of any width; 0 if it is missing. */
    static long number(Document document, String field) {
        return document.get(field) instanceof Number number ? number.longValue() : 0;
    }

    /** A capacity or a count; 0 if it is missing or negative. */
    static int amount(Document document, String field) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number(document, field)));
    }

    /** A number of permits, 1 at least: a negative number would make room for others. */
    static int count(Document document, String field) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, number(document, field)));
    }

    /** A moment in milliseconds since 1970; 0 if it is missing or earlier. */
    static long millis(Document document, String field) {
        return document.get(field) instanceof Date date
                ? Math.max(0, date.toInstant().toEpochMilli())
                : 0;
    }

    /** A text that must be there. */
    static String text(Document document, String field) {
        if (document.get(field) instanceof String text) {
            return text;
        }
        throw unknown(field);
    }

    /** A text for people, which may be missing. */
    static String text(Document document, String field, String otherwise) {
        return document.get(field) instanceof String text ? text : otherwise;
    }

    /** A list, empty if it is missing. An element of another type is an error: it may be a holder. */
    static <T> List<T> list(Document document, String field, Class<T> type) {
        Object value = document.get(field);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list && list.stream().allMatch(type::isInstance)) {
            return list.stream().map(type::cast).toList();
        }
        throw unknown(field);
    }

    static IllegalStateException unknown(String field) {
        return new StoreRefusal("A field is not as this version writes it: field=" + field);
    }

    /** A moment, as the driver writes it. */
    static Instant moment(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
