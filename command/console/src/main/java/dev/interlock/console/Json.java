package dev.interlock.console;

import dev.interlock.spi.Printable;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes JSON. */
public final class Json {

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /**
     * One JSON text without line breaks. All control characters are escaped, so it is safe on a terminal as well.
     *
     * @param value a map with text keys, a list, a text, a whole number, or a truth value, and so on inside
     */
    public static String of(Object value) {
        Json json = new Json();
        json.value(value);
        return json.out.toString();
    }

    private void value(Object value) {
        if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof List<?> list) {
            array(list);
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof Long || value instanceof Integer || value instanceof Boolean) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no form for a " + value.getClass() + ": " + value);
        }
    }

    private void object(Map<?, ?> map) {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<?, ?> entry = i.next();
            string((String) entry.getKey());
            out.append(':');
            value(entry.getValue());
            out.append(i.hasNext() ? "," : "");
        }
        out.append('}');
    }

    private void array(List<?> list) {
        out.append('[');
        for (Iterator<?> i = list.iterator(); i.hasNext(); ) {
            value(i.next());
            out.append(i.hasNext() ? "," : "");
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            character(text, i);
        }
        out.append('"');
    }

    private void character(String text, int index) {
        char c = text.charAt(index);
        if (c == '"' || c == '\\') {
            out.append('\\').append(c);
        } else if (paired(text, index)) {
            out.append(c);
        } else if (Printable.isUnsafe(c)) {
            out.append("\\u").append(HexFormat.of().toHexDigits(c));
        } else {
            out.append(c);
        }
    }

    private static boolean paired(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                ? index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1))
                : Character.isLowSurrogate(text.charAt(index))
                        && index > 0
                        && Character.isHighSurrogate(text.charAt(index - 1));
    }
}
