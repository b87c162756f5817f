package dev.interlock.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of legal moves, the drawing in the source, and the table of docs/internals/design.md say the same. */
class CandidacyStateTest {

    private static final Pattern DRAWN = Pattern.compile("^ \\*   ([A-Z]*) +-> ([A-Z]+)(?: .*)?$", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Z]+)` \\|[^|]*\\|([^|]*)\\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([A-Z]+)`");

    @Test
    void drawing_showsTheTable() throws IOException {
        Map<CandidacyState, Set<CandidacyState>> drawn = none();
        Matcher line =
                DRAWN.matcher(Files.readString(Path.of("src/main/java/dev/interlock/election/LockCandidacy.java")));
        String from = "";
        while (line.find()) {
            from = line.group(1).isEmpty() ? from : line.group(1);
            add(from, line.group(2), drawn);
        }
        assertThat(drawn).isEqualTo(table());
    }

    @Test
    void design_showsTheTable() throws IOException {
        String page = Files.readString(Path.of("../../docs/internals/design.md"));
        int begin = page.indexOf("## Elections\n");
        assertThat(begin).isPositive();
        Map<CandidacyState, Set<CandidacyState>> shown = none();
        Matcher row = ROW.matcher(page.substring(begin, page.indexOf("\n## ", begin)));
        while (row.find()) {
            Matcher name = NAME.matcher(row.group(2).replaceAll("\\([^)]*\\)", ""));
            while (name.find()) {
                add(row.group(1), name.group(1), shown);
            }
        }
        assertThat(shown).isEqualTo(table());
    }

    private static void add(String from, String to, Map<CandidacyState, Set<CandidacyState>> table) {
        table.computeIfAbsent(CandidacyState.valueOf(from), state -> EnumSet.noneOf(CandidacyState.class))
                .add(CandidacyState.valueOf(to));
    }

    private static Map<CandidacyState, Set<CandidacyState>> none() {
        Map<CandidacyState, Set<CandidacyState>> table = new EnumMap<>(CandidacyState.class);
        for (CandidacyState state : CandidacyState.values()) {
            table.put(state, EnumSet.noneOf(CandidacyState.class));
        }
        return table;
    }

    private static Map<CandidacyState, Set<CandidacyState>> table() {
        Map<CandidacyState, Set<CandidacyState>> table = none();
        table.forEach((state, next) -> next.addAll(state.next()));
        return table;
    }
}
