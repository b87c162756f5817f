package dev.interlock.testkit.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/** Makes a text from real ones, by a few changes that somebody who wants to break a reader would try. */
final class Mutations {

    private static final int MOST_CHANGES = 6;

    /** One text of so many is made as long as is allowed: what takes time by the square of the length shows. */
    private static final int LONG_ONE_IN = 200;

    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "1",
            "-1",
            "+1",
            "2",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9007199254740991",
            "9007199254740992",
            "999999999999999999",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1e9",
            "NaN",
            "0x10",
            "00000000000000000000001",
            "1".repeat(40),
            "\u0661\u0662");

    /** What means something to some reader, writer, terminal, shell, page or database. */
    private static final List<String> PIECES = List.of(
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "\u0000",
            "\u001b[31m",
            "\u007f",
            "\u0085",
            "\u00a0",
            "\u2028",
            "\u202e",
            "\ufeff",
            "\ufffd",
            "\ud800",
            "\udc00",
            "\ud83d\ude00",
            "\u00e9",
            "e\u0301",
            "\u0130",
            "%",
            "%00",
            "%2",
            "%25",
            "%2F",
            "%zz",
            "%ff",
            "%c0%af",
            "..",
            "../",
            "//",
            "\\",
            "'",
            "\"",
            "`",
            "$",
            "${x}",
            "#{1}",
            "{",
            "}",
            "{}",
            "[",
            "]",
            "(",
            ")",
            "<",
            ">",
            "<script>",
            "'; --",
            "*",
            "?",
            "&",
            "=",
            ";",
            ",",
            ":",
            "@",
            "|",
            "^",
            "~",
            "+",
            "null",
            "true",
            "",
            "-");

    private final List<String> corpus;
    private final List<String> words;
    private final int longest;

    /**
     * From these texts.
     *
     * @param words what else the format knows; may be empty
     * @param longest the longest text to make, in characters
     */
    Mutations(List<String> corpus, List<String> words, int longest) {
        this.corpus = List.copyOf(corpus);
        this.words = List.copyOf(words);
        this.longest = longest;
    }

    /** Text number {@code index} of this seed. */
    String text(long seed, int index) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + index);
        StringBuilder text = new StringBuilder(any(corpus, random));
        for (int left = 1 + random.nextInt(1 + random.nextInt(MOST_CHANGES)); left > 0; left--) {
            change(text, random);
        }
        if (random.nextInt(LONG_ONE_IN) == 0) {
            lengthen(text, random);
        }
        text.setLength(Math.min(text.length(), longest));
        return text.toString();
    }

    private void change(StringBuilder text, SplittableRandom random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + size(random));
        switch (random.nextInt(12)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, text.substring(from, to));
            case 2 -> text.insert(from, any(PIECES, random));
            case 3 -> text.replace(from, to, any(PIECES, random));
            case 4 -> text.insert(from, words.isEmpty() ? any(NUMBERS, random) : any(words, random));
            case 5 -> number(text, from, random);
            case 6 -> text.setLength(from);
            case 7 -> {
                String other = any(corpus, random);
                text.replace(from, text.length(), other.substring(random.nextInt(other.length() + 1)));
            }
            case 8 -> {
                if (from < to) {
                    text.setCharAt(from, (char) (text.charAt(from) ^ (1 << random.nextInt(8))));
                }
            }
            case 9 -> {
                if (from < to) {
                    text.setCharAt(from, (char) random.nextInt(0x10000));
                }
            }
            case 10 -> {
                String part = text.substring(from, to);
                text.delete(from, to).insert(random.nextInt(text.length() + 1), part);
            }
            default -> text.insert(from, text.substring(from, to).repeat(random.nextInt(20)));
        }
    }

    /** The next number becomes another one. */
    private static void number(StringBuilder text, int from, SplittableRandom random) {
        int begin = from;
        while (begin < text.length() && !isDigit(text.charAt(begin))) {
            begin++;
        }
        int end = begin;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        text.replace(begin, end, any(NUMBERS, random));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A part is repeated as often as there is room, in its place: a short one mostly. */
    private void lengthen(StringBuilder text, SplittableRandom random) {
        int from = random.nextInt(text.length() + 1);
        String part = text.substring(from, Math.min(text.length(), from + size(random)));
        String repeated = part.isEmpty() ? any(PIECES, random) : part;
        if (!repeated.isEmpty()) {
            int room = Math.max(0, longest - text.length());
            text.insert(from, repeated.repeat(room / repeated.length()));
        }
    }

    private static int size(SplittableRandom random) {
        return 1 + random.nextInt(1 + random.nextInt(16));
    }

    private static String any(List<String> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }
}
