package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.support.SessionClaim.State;
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

/** The moves of a claim of a session. What follows from them is in {@link SessionClaimWalkTest}. */
class SessionClaimTest {

    private static final Pattern DRAWN = Pattern.compile("^ \\*   ([A-Z]*) +-> ([A-Z]+)(?: .*)?$", Pattern.MULTILINE);

    @Test
    void drawing_isTheTableOfMoves() throws IOException {
        Map<State, Set<State>> drawn = new EnumMap<>(State.class);
        Matcher line =
                DRAWN.matcher(Files.readString(Path.of("src/main/java/dev/interlock/support/SessionClaim.java")));
        String from = "";
        while (line.find()) {
            from = line.group(1).isEmpty() ? from : line.group(1);
            drawn.computeIfAbsent(State.valueOf(from), state -> EnumSet.noneOf(State.class))
                    .add(State.valueOf(line.group(2)));
        }

        Map<State, Set<State>> legal = new EnumMap<>(State.class);
        for (State state : State.values()) {
            legal.put(state, state.next());
        }
        assertThat(drawn).isEqualTo(legal);
    }
}
