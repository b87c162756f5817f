package dev.interlock.testkit.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule, a change of the source that breaks it, and the tests that see that. The list is
 * {@code lab/selftest/planted.txt}:
 *
 * <pre>
 *   ## name of the mistake
 *   The rule.
 *   file: the source, from the root
 *   - a part of it, which occurs once
 *   + what stands there instead
 *   test: the folder of a module, and a class of its tests
 * </pre>
 *
 * A part of several lines has as many lines with {@code -}, and what stands instead as many with {@code +}.
 *
 * @param name its name
 * @param rule the rule that it breaks
 * @param file the source, from the root
 * @param before a part of it
 * @param after what stands there instead
 * @param tests where it is seen
 */
record Mistake(String name, String rule, String file, String before, String after, List<Place> tests) {

    /**
     * A test class.
     *
     * @param module the folder of its module, from the root
     * @param type its name
     */
    record Place(String module, String type) {

        private static Place parse(String line) {
            String[] words = line.strip().split(" ", -1);
            if (words.length != 2) {
                throw new IllegalArgumentException(
                        "'test:' must be followed by a module and a class; line=" + line.strip());
            }
            return new Place(words[0], words[1]);
        }

        /** The source of the class. */
        String source() {
            return module + "/src/test/java/" + type.replace('.', '/') + ".java";
        }
    }

    /** The list of a file. */
    static List<Mistake> read(Path list) throws IOException {
        List<Mistake> mistakes = new ArrayList<>();
        String[] sections = Files.readString(list).split("(?m)^## ", -1);
        for (String section : List.of(sections).subList(1, sections.length)) {
            mistakes.add(parse(section));
        }
        return mistakes;
    }

    private static Mistake parse(String section) {
        String[] lines = section.split("\n", -1);
        StringBuilder rule = new StringBuilder();
        String file = "";
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        List<Place> tests = new ArrayList<>();
        for (String line : List.of(lines).subList(1, lines.length)) {
            if (line.startsWith("file: ")) {
                file = line.substring(6).strip();
            } else if (line.startsWith("test: ")) {
                tests.add(Place.parse(line.substring(6)));
            } else if (line.startsWith("- ") || line.equals("-")) {
                before.add(line.length() < 2 ? "" : line.substring(2));
            } else if (line.startsWith("+ ") || line.equals("+")) {
                after.add(line.length() < 2 ? "" : line.substring(2));
            } else if (!line.isBlank()) {
                rule.append(rule.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        return new Mistake(
                lines[0].strip(),
                rule.toString(),
                file,
                String.join("\n", before),
                String.join("\n", after),
                List.copyOf(tests));
    }

    /** The folder of the module that has the source. */
    String module() {
        int end = file.indexOf("/src/");
        if (end < 0) {
            throw new IllegalArgumentException("The source of mistake '" + name + "' is in no module; file=" + file);
        }
        return file.substring(0, end);
    }

    /** The source with the mistake. */
    String planted(Path root) throws IOException {
        String text = Files.readString(root.resolve(file));
        int at = text.indexOf(before);
        if (before.isEmpty() || at < 0 || text.indexOf(before, at + 1) >= 0) {
            throw new IllegalStateException("The part that mistake '" + name + "' changes does not occur once in "
                    + file + "; bring lab/selftest/planted.txt up to date:\n" + before);
        }
        return text.substring(0, at) + after + text.substring(at + before.length());
    }
}
