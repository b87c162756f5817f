package dev.interlock.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON, strictly, to see that others can read ours. */
public final class JsonReader {

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** A map, list, text, long, or truth value. */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text.strip());
        Object value = reader.value();
        if (reader.at != reader.text.length()) {
            throw reader.wrong("the end");
        }
        return value;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            String key = string();
            expect(':');
            map.put(key, value());
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        expect('[');
        while (peek() != ']') {
            list.add(value());
            if (peek() != ']') {
                expect(',');
            }
        }
        expect(']');
        return list;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        expect('"');
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < 0x20) {
                throw wrong("no bare control character");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        expect('"');
        return out.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        if (c != '"' && c != '\\') {
            throw wrong("an escape");
        }
        return c;
    }

    private Object word(String word, boolean value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Long number() {
        int start = at;
        while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Long.valueOf(text.substring(start, at));
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("'" + c + "'");
        }
        at++;
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("expected " + expected + " at " + at + " of " + text);
    }
}
