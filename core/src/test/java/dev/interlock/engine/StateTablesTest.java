package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of legal moves, the drawings in the sources, and the tables of docs/internals/design.md say the same. */
class StateTablesTest {

    private static final Pattern DRAWN = Pattern.compile("^ \\*   ([A-Z_]*) +-> ([A-Z_]+)(?: .*)?$", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Z_]+)` \\|[^|]*\\|([^|]*)\\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([A-Z_]+)`");

    @Test
    void claimStates_drawing() throws IOException {
        assertThat(drawing("ClaimLife")).isEqualTo(table(ClaimState.class, ClaimState::next));
    }

    @Test
    void claimStates_design() throws IOException {
        assertThat(design("## The life of a claim")).isEqualTo(table(ClaimState.class, ClaimState::next));
    }

    @Test
    void releaseStates_drawing() throws IOException {
        assertThat(drawing("PendingRelease")).isEqualTo(table(ReleaseState.class, ReleaseState::next));
    }

    @Test
    void releaseStates_design() throws IOException {
        assertThat(design("## Unknown outcomes")).isEqualTo(table(ReleaseState.class, ReleaseState::next));
    }

    @Test
    void retentionStates_drawing() throws IOException {
        assertThat(drawing("Retention")).isEqualTo(table(RetentionState.class, RetentionState::next));
    }

    @Test
    void retentionStates_design() throws IOException {
        assertThat(design("## Retained claims")).isEqualTo(table(RetentionState.class, RetentionState::next));
    }

    private static <S extends Enum<S>> Map<String, Set<String>> table(Class<S> states, Function<S, Set<S>> next) {
        Map<String, Set<String>> table = new TreeMap<>();
        for (S state : states.getEnumConstants()) {
            Set<String> names = new TreeSet<>();
            next.apply(state).forEach(to -> names.add(to.name()));
            if (!names.isEmpty()) {
                table.put(state.name(), names);
            }
        }
        return table;
    }

    private static Map<String, Set<String>> drawing(String type) throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        Matcher line = DRAWN.matcher(Files.readString(Path.of("src/main/java/dev/interlock/engine", type + ".java")));
        String from = "";
        while (line.find()) {
            from = line.group(1).isEmpty() ? from : line.group(1);
            drawn.computeIfAbsent(from, key -> new TreeSet<>()).add(line.group(2));
        }
        return drawn;
    }

    private static Map<String, Set<String>> design(String heading) throws IOException {
        String page = Files.readString(Path.of("../docs/internals/design.md"));
        int begin = page.indexOf(heading + "\n");
        assertThat(begin).as(heading).isPositive();
        int end = page.indexOf("\n## ", begin);
        Map<String, Set<String>> table = new TreeMap<>();
        Matcher row = ROW.matcher(page.substring(begin, end));
        while (row.find()) {
            Set<String> names = new TreeSet<>();
            Matcher name = NAME.matcher(row.group(2).replaceAll("\\([^)]*\\)", ""));
            while (name.find()) {
                names.add(name.group(1));
            }
            if (!names.isEmpty()) {
                table.put(row.group(1), names);
            }
        }
        return table;
    }
}
