package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes of one machine share a file: nothing is lost, whoever dies (I1, I2, I3, I5). */
@Tag("some")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class SeveralProcessesTest extends FileTest {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Ends by itself in no test. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Survivors wait for its end; a live holder renews it in time even on a slow machine. */
    private static final Duration SHORT = Duration.ofSeconds(8);

    private final List<ChildJvm> children = new ArrayList<>();
    private final Path number = directory.resolve("number");

    @AfterEach
    void killChildren() {
        children.forEach(ChildJvm::close);
    }

    /** All processes find no file, and create it at the same time. */
    @Tag(Effort.SCALED)
    @Test
    void counter_losesNoUpdate_andTokensGrowWithIt() throws IOException {
        int rounds = Effort.pick(100, 5_000);
        for (int i = 0; i < 4; i++) {
            start(rounds, LONG, -1);
        }
        go();

        TreeMap<Integer, Long> tokens = new TreeMap<>();
        children.forEach(child -> collect(child, rounds, tokens));

        assertThat(Files.readString(number)).isEqualTo(Integer.toString(4 * rounds));
        assertThat(tokens).hasSize(4 * rounds);
        assertThat(List.copyOf(tokens.values())).isSorted().doesNotHaveDuplicates();
        assertThat(rows.count("lock") + rows.count("claim")).isZero();
    }

    /** The store is a file and not a process: the death of a user, even of the holder, is no outage for the others. */
    @Tag(Effort.SCALED)
    @Test
    void kill9_ofTheHolder_othersGoOn_afterItsLease() throws IOException {
        int rounds = Effort.pick(60, 2_000);
        ChildJvm victim = start(rounds, SHORT, rounds / 3);
        ChildJvm first = start(rounds, SHORT, -1);
        ChildJvm second = start(rounds, SHORT, -1);
        go();
        victim.await("inside", PATIENCE);
        int killedAt = Integer.parseInt(Files.readString(number));
        // The victim renews: its lease does not end by itself.
        assertThat(holders()).isEqualTo(1);

        victim.kill();
        assertThat(Files.readString(number)).isEqualTo(Integer.toString(killedAt));

        TreeMap<Integer, Long> tokens = new TreeMap<>();
        collect(first, rounds, tokens);
        collect(second, rounds, tokens);

        assertThat(Files.readString(number)).isEqualTo(Integer.toString(2 * rounds + rounds / 3));
        assertThat(List.copyOf(tokens.values())).isSorted().doesNotHaveDuplicates();
        assertThat(rows.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"))
                .isEqualTo(1);
    }

    /** Killed at any moment, also within a transaction: only a lease stays. */
    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    void kill9_atAnyMoment_leavesTheFileUsable() throws IOException {
        for (int i = 0; i < Effort.pick(3, 50); i++) {
            ChildJvm victim = start(1_000_000, SHORT, -1);
            victim.await("ready", PATIENCE);
            victim.send("go");
            for (int seen = 0; seen < 20 + i; seen++) {
                victim.await("at ", PATIENCE);
            }
            victim.kill();
        }

        ChildJvm survivor = start(20, SHORT, -1);
        survivor.await("ready", PATIENCE);
        survivor.send("go");
        collect(survivor, 20, new TreeMap<>());
        assertThat(rows.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"))
                .isEqualTo(1);
    }

    private ChildJvm start(int rounds, Duration lease, int hangs) throws IOException {
        if (!Files.exists(number)) {
            Files.writeString(number, "0");
        }
        ChildJvm child = ChildJvm.start(
                CounterMain.class,
                file.toString(),
                number.toString(),
                Integer.toString(rounds),
                Long.toString(lease.toMillis()),
                Integer.toString(hangs));
        children.add(child);
        return child;
    }

    private void go() {
        children.forEach(child -> child.await("ready", PATIENCE));
        children.forEach(child -> child.send("go"));
    }

    private static void collect(ChildJvm child, int rounds, Map<Integer, Long> tokens) {
        for (int i = 0; i < rounds; i++) {
            String[] words = child.await("at ", PATIENCE).split(" ", 2);
            Long other = tokens.put(Integer.valueOf(words[0]), Long.valueOf(words[1]));
            assertThat(other).as("the number %s was written before", words[0]).isNull();
        }
        child.await("done", PATIENCE);
    }

    private int holders() {
        try (Client client = new Client(file)) {
            return client.inspect(CounterMain.NAME).holders().size();
        }
    }
}
