package dev.interlock.jdbc.dialect;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement with named parameters, translated for JDBC: the text with question marks, and the names in their order.
 * The statements are our own and simple: a colon always begins a parameter, and {@code {p}} is the prefix of the
 * tables.
 */
public record NamedSql(String text, List<String> parameters) {

    public static NamedSql parse(String named, String prefix) {
        String sql = named.replace("{p}", prefix);
        StringBuilder text = new StringBuilder(sql.length());
        List<String> parameters = new ArrayList<>();
        int at = 0;
        for (int colon = sql.indexOf(':'); colon >= 0; colon = sql.indexOf(':', at)) {
            int end = endOfWord(sql, colon + 1);
            text.append(sql, at, colon).append('?');
            parameters.add(sql.substring(colon + 1, end));
            at = end;
        }
        return new NamedSql(text.append(sql, at, sql.length()).toString(), List.copyOf(parameters));
    }

    private static int endOfWord(String sql, int from) {
        int end = from;
        while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
            end++;
        }
        return end;
    }
}
