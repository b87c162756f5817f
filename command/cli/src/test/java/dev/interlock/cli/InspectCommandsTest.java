package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.Party;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ls}, {@code show} and {@code unlock}. */
final class InspectCommandsTest {

    private static final String NASTY = "a\u001b[31m\n\u00e9\"";

    private static final String QUESTION = "\nUnlock it? Its holder may still be at work. [y/N] ";

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);
    private String store = "";

    @BeforeEach
    void newStore() {
        store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        cli = new Cli(directory).with(DefaultStore.VARIABLE, store);
    }

    /** P30: who holds it, where, since when, for how long, and who waits. */
    @Test
    void P30_show_tellsHoldersAndWaiters() {
        Cli.Running holder = cli.start("run", "job", "--", "sh", "-c", "echo up; exec sleep 600");
        holder.awaitOutput("up");
        Cli.Running waiter = cli.start("run", "job", "echo", "inside");
        try (Interlock interlock = Interlock.connect(store)) {
            Awaitility.await()
                    .until(() -> !interlock.lock("job").inspect().waiters().isEmpty());
        }

        String people = cli.run("show", "job").exited(0).out();
        Map<?, ?> lock = (Map<?, ?>)
                JsonReader.read(cli.run("show", "--json", "job").exited(0).out());

        assertThat(people).startsWith("job is held\n");
        assertThat(lock.get("name")).isEqualTo("job");
        assertThat(lock.get("locked")).isEqualTo(true);
        Map<?, ?> held = only(lock, "holders");
        assertThat(held.get("pid")).isEqualTo(holder.process().pid());
        assertThat(held.get("application")).isEqualTo("sh");
        assertThat((String) held.get("host")).isNotEmpty();
        assertThat((Long) held.get("token")).isPositive();
        assertThat((Long) held.get("remainingLeaseMillis")).isBetween(1L, 30_000L);
        assertThat(Instant.parse((String) held.get("since")))
                .isBefore(Instant.now().plusSeconds(1))
                .isAfter(Instant.now().minus(Patience.FULL));
        Map<?, ?> waits = only(lock, "waiters");
        assertThat(waits.get("pid")).isEqualTo(waiter.process().pid());
        assertHolderForPeople(row(people, "HOLDER"), held);
        assertWaiterForPeople(row(people, "WAITER"), waits);

        holder.process().destroy();
        waiter.result().exited(0);
    }

    /** The table, which was made a moment before, says what the other form says. */
    private static void assertHolderForPeople(Map<String, String> row, Map<?, ?> held) {
        assertThat(row.keySet())
                .containsExactly(
                        "HOLDER",
                        "HOLDS",
                        "PROCESS",
                        "THREAD",
                        "APPLICATION",
                        "SINCE",
                        "HELD FOR",
                        "LEASE LEFT",
                        "TOKEN");
        assertThat(row)
                .containsEntry("HOLDER", String.valueOf(held.get("host")))
                .containsEntry("HOLDS", "exclusive")
                .containsEntry("PROCESS", String.valueOf(held.get("pid")))
                .containsEntry("THREAD", String.valueOf(held.get("thread")))
                .containsEntry("APPLICATION", "sh")
                .containsEntry("TOKEN", String.valueOf(held.get("token")));
        assertSince(cell(row, "SINCE"), held);
        assertSeconds(cell(row, "HELD FOR"), 0, millis(held, "heldForMillis"));
        assertSeconds(cell(row, "LEASE LEFT"), 0, 30_000);
    }

    private static void assertWaiterForPeople(Map<String, String> row, Map<?, ?> waits) {
        assertThat(row.keySet())
                .containsExactly("WAITER", "WANTS", "PROCESS", "THREAD", "APPLICATION", "SINCE", "WAITING FOR");
        assertThat(row)
                .containsEntry("WAITER", String.valueOf(waits.get("host")))
                .containsEntry("WANTS", "exclusive")
                .containsEntry("PROCESS", String.valueOf(waits.get("pid")))
                .containsEntry("THREAD", String.valueOf(waits.get("thread")))
                .containsEntry("APPLICATION", "echo");
        assertSince(cell(row, "SINCE"), waits);
        assertSeconds(cell(row, "WAITING FOR"), 0, millis(waits, "waitingForMillis"));
    }

    private static String cell(Map<String, String> row, String heading) {
        return Objects.requireNonNull(row.get(heading), heading);
    }

    private static long millis(Map<?, ?> entry, String key) {
        return (Long) Objects.requireNonNull(entry.get(key), key);
    }

    /** For people by the clock on their wall. Each of the two counts back from the moment at which it printed. */
    private static void assertSince(String text, Map<?, ?> entry) {
        Instant since =
                LocalDateTime.parse(text, CLOCK).atZone(ZoneId.systemDefault()).toInstant();
        assertThat(Duration.between(since, Instant.parse((String) entry.get("since")))
                        .abs())
                .isLessThan(Patience.FULL);
    }

    private static void assertSeconds(String text, long leastMillis, long mostMillis) {
        assertThat(text).matches("[0-9]+ ms|[0-9]+\\.[0-9] s");
        String[] words = text.split(" ", -1);
        double millis = Double.parseDouble(words[0]) * (words[1].equals("s") ? 1_000 : 1);
        assertThat(millis).isBetween((double) leastMillis, (double) mostMillis);
    }

    /** The first row below the line that begins with this heading. */
    private static Map<String, String> row(String text, String heading) {
        List<String> lines = text.lines().toList();
        int at = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith(heading))
                .findFirst()
                .orElseThrow();
        List<String> headings = List.of(lines.get(at).split(" {2,}"));
        List<String> cells = List.of(lines.get(at + 1).split(" {2,}"));
        assertThat(cells).hasSameSizeAs(headings);
        Map<String, String> row = new LinkedHashMap<>();
        IntStream.range(0, cells.size()).forEach(i -> row.put(headings.get(i), cells.get(i)));
        return row;
    }

    @Test
    void aFreeLock() {
        assertThat(look("show", "job").exited(0).out()).isEqualTo("job is free\n");
        assertThat(JsonReader.read(look("show", "job", "--json").exited(0).out()))
                .isEqualTo(Map.of(
                        "name", "job", "kind", "lock", "locked", false, "holders", List.of(), "waiters", List.of()));
        assertThat(look("unlock", "--force", "--yes", "job").exited(0).out()).isEqualTo("job was not held\n");
        assertThat(look("ls").exited(0).out().lines()).hasSize(1);
        assertThat(look("ls", "--json").exited(0).out()).isEqualTo("[]\n");
    }

    @Test
    void ls_listsByPrefix_andIsSafeForTerminals() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Lease nasty = interlock.lock(NASTY).acquire();
                Lease first = interlock.lock("b/1").acquire();
                Lease second = interlock.lock("b/2").acquire()) {
            String all = look("ls").exited(0).out();
            String json = look("ls", "--json").exited(0).out();

            assertThat(all.lines().skip(1).map(line -> line.substring(0, line.indexOf("  "))))
                    .containsExactly("a\\u{1B}[31m\\n\u00e9\"", "b/1", "b/2");
            assertThat(names(json)).containsExactly(NASTY, "b/1", "b/2");
            assertThat(all + json).doesNotContain("\u001b");
            assertThat(names(look("ls", "b/", "--json").exited(0).out())).containsExactly("b/1", "b/2");
            String cut = look("ls", "--json", "--limit", "1").exited(0).out();
            assertThat(names(cut)).containsExactly(NASTY, null);
            assertThat(JsonReader.read(cut))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .last()
                    .isEqualTo(JsonReader.read("{\"more\":true,\"limit\":1,\"total\":3}"));
            assertThat(names(look("ls", "--json", "--limit", "3").exited(0).out()))
                    .containsExactly(NASTY, "b/1", "b/2");
            assertThat(look("ls", "--limit", "2").exited(0).out().lines())
                    .hasSize(4)
                    .last()
                    .isEqualTo("the first 2 of 3: see --limit");
            assertThat(look("ls", "--limit", "3").exited(0).out()).doesNotContain("see --limit");
            assertThat(look("show", NASTY).exited(0).out())
                    .contains(String.valueOf(nasty.token()))
                    .doesNotContain("\u001b");
            assertThat(List.of(first.isValid(), second.isValid())).containsOnly(true);
        }
    }

    /** Those that come first in the order are shown, also if they are not the first by name. */
    @Test
    void ls_sortsAll_andFiltersByAge() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Interlock other = Interlock.connect(store);
                Lease oldest = interlock.lock("c").acquire()) {
            awaitHeldForAWhile(interlock, "c");
            Lease older = interlock.lock("a").acquire();
            awaitHeldForAWhile(interlock, "a");
            Lease last = interlock.lock("b").acquire();
            awaitHeldForAWhile(interlock, "b");
            CompletableFuture<Lease> waits = other.lock("a").acquireAsync().toCompletableFuture();
            Awaitility.await()
                    .until(() -> !interlock.lock("a").inspect().waiters().isEmpty());

            assertThat(names(look("ls", "--json", "--sort", "waiting").exited(0).out()))
                    .containsExactly("a", "b", "c");
            String held = look("ls", "--json", "--sort", "held", "--limit", "2")
                    .exited(0)
                    .out();
            assertThat(names(held)).containsExactly("c", "a", null);
            assertThat(held).endsWith("{\"more\":true,\"limit\":2,\"total\":3}]\n");
            assertThat(look("ls", "--sort", "held", "--limit", "1").exited(0).out())
                    .contains("\nc ")
                    .endsWith("the first 1 of 3: see --limit\n");
            assertThat(names(look("ls", "--json").exited(0).out())).containsExactly("a", "b", "c");
            assertThat(look("ls", "--older-than", "1h").exited(0).out().lines()).hasSize(1);
            assertThat(names(look("ls", "--json", "--older-than", "1ms", "b")
                            .exited(0)
                            .out()))
                    .containsExactly("b");
            waits.cancel(true);
            assertThat(List.of(oldest, older, last)).allMatch(Lease::isValid);
        }
    }

    /** So that the next one is held for less. */
    private static void awaitHeldForAWhile(Interlock interlock, String name) {
        Awaitility.await()
                .until(() -> interlock
                                .lock(name)
                                .inspect()
                                .holders()
                                .get(0)
                                .heldFor()
                                .toMillis()
                        > 5);
    }

    /** Of more than can be looked at, those that come first are not known. */
    @Test
    void ls_thatHasNotSeenAllNames_saysSo() {
        List<LockStatus> two =
                List.of(new LockStatus("a", List.of(), List.of()), new LockStatus("b", List.of(), List.of()));

        Listing cut = Listing.of(two, 1).arranged(TopOrder.HELD, null, 5);

        assertThat(cut.goesOn()).isTrue();
        assertThat(cut.total()).isNull();
        assertThat(Listing.of(two, 2).arranged(TopOrder.HELD, null, 5).goesOn()).isFalse();
    }

    /** A process of this host that has ended, and one that came later; nothing is said of other hosts. */
    @Test
    void show_tellsOfAHolderWhoseProcessIsNotThere() throws Exception {
        String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            long pid = other.pid();
            Holder now = holder(host, pid, Duration.ZERO);
            Holder before = holder(host, pid, Duration.ofHours(1));
            assertThat(HolderProcess.remarks(List.of(now), Instant.now())).isEmpty();
            assertThat(HolderProcess.remarks(List.of(before), Instant.now()))
                    .containsExactly("process " + pid
                            + " on this host has started since: it is another, unless the holder is in a container");
            other.destroyForcibly().waitFor();

            assertThat(HolderProcess.remarks(List.of(now, before), Instant.now()))
                    .containsExactly("its process " + pid
                            + " is not alive on this host: it has ended, unless it is in a container");
            LockStatus status = new LockStatus("job", List.of(now), List.of());
            assertThat(StatusView.text(status, Colours.OFF)).contains("\nits process " + pid + " is not alive");
            assertThat(StatusView.json(now).get("remark"))
                    .asString()
                    .startsWith("its process " + pid + " is not alive");
            assertThat(StatusView.json(holder(host + "2", pid, Duration.ZERO))).doesNotContainKey("remark");
            assertThat(HolderProcess.remarks(
                            List.of(
                                    holder(host + "2", pid, Duration.ZERO),
                                    holder(host, 0, Duration.ZERO),
                                    new Holder("left-a:1", now.party(), Duration.ZERO, Duration.ZERO, 1)),
                            Instant.now()))
                    .isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    private static Holder holder(String host, long pid, Duration heldFor) {
        return new Holder("a:1", new Party(host, pid, "", "main"), heldFor, Duration.ofSeconds(30), 1);
    }

    @Test
    void unlock_endsTheClaim_andTheHolderIsTold() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store)) {
            Lease lease = interlock.lock("job").acquire();

            assertThat(JsonReader.read(look("unlock", "--force", "-y", "--json", "job")
                            .exited(0)
                            .out()))
                    .isEqualTo(Map.of("name", "job", "unlocked", true));

            assertThat(interlock.lock("job").isLocked()).isFalse();
            assertThat(lease.release().isLost()).isTrue();
        }
    }

    @Test
    void unlock_withoutForce_orWithoutAnAnswer_changesNothing() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Lease lease = interlock.lock("job").acquire()) {
            assertThat(look("unlock", "job").exited(64).errorLines())
                    .singleElement()
                    .asString()
                    .contains("--force");
            assertThat(look("unlock", "--force", "job").exited(64).errorLines())
                    .singleElement()
                    .asString()
                    .contains("--yes");
            // On a terminal it asks; here the end of the input is the answer.
            Cli.Result asked = cli.withJvmArgument("-Dinterlock.terminals=02")
                    .run("unlock", "--force", "job")
                    .exited(1);

            assertThat(asked.err()).contains("job is held", "Unlock it?");
            assertThat(interlock.lock("job").isLocked()).isTrue();
            assertThat(lease.isValid()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", "Y\n", " yes\n", "y"})
    void unlock_whoSaysYes_endsTheClaim(String answer) throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store)) {
            Lease lease = interlock.lock("job").acquire();

            Cli.Result asked = InProcess.onTerminal(answer, "unlock", "--force", "job", "--store", store);

            assertThat(asked.exited(0).out()).isEqualTo("job is unlocked\n");
            assertThat(asked.err())
                    .contains("job is held", String.valueOf(lease.token()))
                    .endsWith(QUESTION);
            assertThat(interlock.lock("job").isLocked()).isFalse();
            assertThat(lease.release().isLost()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"n\n", "N\n", "no\n", "\n", "not y\n", "\ny\n", ""})
    void unlock_whoSaysAnythingElse_changesNothing(String answer) throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Lease lease = interlock.lock("job").acquire()) {
            Cli.Result asked = InProcess.onTerminal(answer, "unlock", "--force", "job", "--store", store);

            assertThat(asked.exited(1).out()).isEmpty();
            assertThat(asked.err()).endsWith(QUESTION);
            assertThat(interlock.lock("job").isLocked()).isTrue();
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** A key without expiry, which another program has made. */
    @Test
    void aLeaseWithoutEnd_isNotANumber() {
        try (RedisServer server = RedisServer.start()) {
            server.command("HSET", "endless", "a", "1");
            server.command("SET", "interlock_fence:{endless}", "1");
            store = server.uri();

            assertThat(row(look("show", "endless").exited(0).out(), "HOLDER")).containsEntry("LEASE LEFT", "no end");
            assertThat(row(look("ls").exited(0).out(), "NAME")).containsEntry("LEASE LEFT", "no end");
            Map<?, ?> lock = (Map<?, ?>)
                    JsonReader.read(look("show", "endless", "--json").exited(0).out());
            assertThat(only(lock, "holders").containsKey("remainingLeaseMillis"))
                    .isFalse();
        }
    }

    /** It may be held, so that it is not called free. */
    @Test
    void aNameThatCannotBeRead_isAnError() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "wrong", "1");
            store = server.uri();
            for (String line : List.of("show wrong", "show --json wrong", "wait -n wrong", "unlock --force -y wrong")) {
                Cli.Result result = look(line.split(" ")).exited(69);

                assertThat(result.out()).as(line).isEmpty();
                assertThat(result.err()).as(line).contains("The key wrong must be a hash");
            }
        }
    }

    /** Nothing to ask about. */
    @Test
    void unlock_ofAFreeLock_asksNothing() {
        Cli.Result result = InProcess.onTerminal("n\n", "unlock", "--force", "job", "--store", store);

        assertThat(result).isEqualTo(new Cli.Result(0, "job was not held\n", ""));
    }

    /** In this JVM: these commands start nothing. */
    private Cli.Result look(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--store";
        all[arguments.length + 1] = store;
        return InProcess.run(all);
    }

    /** What did not arrive was not done, as far as the caller can know. */
    @Test
    void outputThatCannotBeWritten_isAFailure() {
        for (String line : List.of("schema --dialect sqlite", "ls", "show job", "--version", "help", "run --help")) {
            Cli.Result result = cli.start(into("/dev/full", line)).result().exited(74);

            assertThat(result.errorLines())
                    .as(line)
                    .containsExactly(
                            "interlock: the output cannot be written (No space left on device); allowed is a file or "
                                    + "a pipe that takes it");
        }
        cli.start(into("/dev/full", "run job true")).result().exited(0);
    }

    @Test
    void aReaderThatHasGone_endsItQuietly() {
        List<String> piped = new ArrayList<>(List.of(
                "sh",
                "-c",
                "{ (trap '' PIPE; while echo; do :; done) 2>/dev/null; \"$@\"; echo $? >&2; } | true",
                "sh"));
        piped.addAll(cli.command("schema", "--dialect", "sqlite"));

        assertThat(cli.start(piped).result().exited(0).err()).isEqualTo("141\n");
    }

    private List<String> into(String file, String line) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >" + file, "sh"));
        command.addAll(cli.command(line.split(" ")));
        return command;
    }

    private static Map<?, ?> only(Map<?, ?> lock, String key) {
        List<?> list = (List<?>) Objects.requireNonNull(lock.get(key));
        assertThat(list).hasSize(1);
        return (Map<?, ?>) list.get(0);
    }

    private static List<String> names(String json) {
        return ((List<?>) JsonReader.read(json))
                .stream().map(lock -> (String) ((Map<?, ?>) lock).get("name")).toList();
    }
}
