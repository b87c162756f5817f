package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.JsonReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code waits}: what it calls a deadlock, and how it says who waits for whom. */
final class WaitsTest {

    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void twoLooksWithTheSameClaims_showADeadlock() {
        Listing circle = listing(lock("x", holder("a:1", 1), waiter("b:2", 2)), lock("y", holder("b:1", 2), "a:2", 1));

        Waits waits = Waits.of(circle).confirmedBy(circle);

        assertThat(waits.circles()).hasSize(1);
        String[] lines = WaitsView.text(waits, Colours.OFF).split("\n", -1);
        assertThat(lines)
                .containsExactly(
                        "deadlock of 2: nobody in it goes on until one gives up or is ended",
                        "  process 2 on db, thread main (shop)",
                        "    waits 1 min 0 s for x, held 2 min 0 s by",
                        "    process 1 on db, thread main (shop)",
                        "  process 1 on db, thread main (shop)",
                        "    waits 1 min 0 s for y, held 2 min 0 s by",
                        "    process 2 on db, thread main (shop)",
                        "",
                        "");
        assertThat(lines).allMatch(line -> line.length() <= 80);
    }

    /** Each look reads one name after the other: what it has seen need not have been there together. */
    @Test
    void aCircleOfClaimsThatChanged_isNone() {
        LockStatus x = lock("x", holder("a:1", 1), waiter("b:2", 2));
        LockStatus y = lock("y", holder("b:1", 2), "a:2", 1);
        Waits first = Waits.of(listing(x, y));

        assertThat(first.circles()).hasSize(1);
        assertThat(first.confirmedBy(listing(x, y)).circles()).hasSize(1);
        for (LockStatus other : List.of(
                lock("y", holder("b:9", 2), "a:2", 1),
                lock("y", holder("b:1", 2), "a:9", 1),
                new LockStatus("y", List.of(withToken(holder("b:1", 2), 7)), y.waiters()))) {
            assertThat(first.confirmedBy(listing(x, other)).circles()).isEmpty();
        }
        assertThat(first.confirmedBy(listing(x)).circles()).isEmpty();
    }

    @Test
    void aChain_isNoDeadlock_norIsASemaphoreOfSeveral() {
        Listing chain = listing(lock("x", holder("a:1", 1), waiter("b:2", 2)), lock("y", holder("b:1", 2), "c:2", 3));
        assertThat(Waits.of(chain).circles()).isEmpty();

        Holder other = holder("c:1", 3);
        LockStatus permits =
                new LockStatus("x", LockKind.SEMAPHORE, List.of(holder("a:1", 1), other), List.of(waiter("b:2", 2)), 2);
        assertThat(Waits.of(listing(permits, lock("y", holder("b:1", 2), "a:2", 1)))
                        .circles())
                .isEmpty();
    }

    /** Nobody holds it any more who could wait. */
    @Test
    void aLockThatWasLeft_isInNoCircle() {
        LockStatus y = lock("y", holder("b:1", 2), "a:2", 1);
        LockStatus x = lock("x", holder("left-a:1", 1), waiter("b:2", 2));

        assertThat(Waits.of(listing(x, y)).circles()).isEmpty();
    }

    @Test
    void circlesOfThree_areToldInTurn() {
        Waits waits = Waits.of(listing(
                lock("x", holder("a:1", 1), "b:2", 2),
                lock("y", holder("c:1", 3), "a:2", 1),
                lock("z", holder("b:1", 2), "c:2", 3)));

        assertThat(waits.circles())
                .singleElement(InstanceOfAssertFactories.LIST)
                .hasSize(3);
        assertThat(WaitsView.text(waits, Colours.OFF).lines().filter(line -> line.contains(" for ")))
                .extracting(line -> line.replaceFirst(".* for (\\w),.*", "$1"))
                .containsExactly("x", "y", "z");
    }

    @Test
    void otherWaits_comeLongestFirst_cutAndSafe() {
        List<Waiter> many = IntStream.range(0, 30)
                .mapToObj(i -> waiter("w" + i + ":1", 100 + i))
                .toList();
        Holder foreign = new Holder("x\u001b[2J:7", Party.UNKNOWN, A_MINUTE, A_MINUTE, 0);
        Listing look = listing(
                new LockStatus("short\n", List.of(foreign), List.of(waiter("s:1", 1))),
                new LockStatus("long", List.of(holder("a:1", 2)), List.of(waiter("l:1", 3, Duration.ofHours(2)))),
                new LockStatus("many", List.of(holder("a:1", 2)), many),
                new LockStatus("nobody waits", List.of(holder("a:1", 2)), List.of()));

        String text = WaitsView.text(new Waits(look, List.of()), Colours.OFF);

        assertThat(text)
                .startsWith("long, lock\n  held  2 min 0 s by process 2 on db, thread main (shop)\n  waits 2 h");
        assertThat(text).contains("short\\n, lock\n  held  1 min 0 s by owner x\\u{1B}[2J:7\n", "  and 10 more: ");
        assertThat(text).doesNotContain("nobody waits", "\u001b").endsWith("\n");
        assertThat(WaitsView.text(new Waits(listing(), List.of()), Colours.OFF)).isEqualTo("nobody waits\n");
        Listing cut = Listing.of(look.locks(), 1);
        assertThat(WaitsView.text(new Waits(cut, List.of()), Colours.OFF))
                .endsWith("the first 1, and there are more: see --limit\n");
        assertThat(WaitsView.json(new Waits(cut, List.of()))).containsEntry("complete", false);
    }

    /** Process A holds x and waits for y, process B the other way; nobody looks for circles. */
    @Test
    void aDeadlock_isFoundInAStore_bothForms() throws Exception {
        String store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        CountDownLatch both = new CountDownLatch(2);
        try (Interlock left = Interlock.builder(store).application("left").build();
                Interlock right = Interlock.builder(store).application("right").build()) {
            Thread one = thread(left, "x", "y", both);
            Thread other = thread(right, "y", "x", both);
            try {
                Awaitility.await().until(() -> List.of("x", "y").stream()
                        .noneMatch(name -> left.lock(name).inspect().waiters().isEmpty()));

                String text = InProcess.run("waits", "--store", store).exited(0).out();
                Map<?, ?> json = (Map<?, ?>) JsonReader.read(InProcess.run("waits", "--json", "--store", store)
                        .exited(0)
                        .out());

                assertThat(text)
                        .startsWith("deadlock of 2: ")
                        .contains("thread holds-x (left)", "thread holds-y (right)", " for x, ", " for y, ");
                assertThat(json.get("complete")).isEqualTo(true);
                assertThat((List<?>) json.get("deadlocks"))
                        .singleElement(InstanceOfAssertFactories.LIST)
                        .extracting("name")
                        .containsExactlyInAnyOrder("x", "y");
                assertThat((List<?>) json.get("names")).extracting("name").containsExactly("x", "y");
                // The other half of the circle has another name.
                assertThat(InProcess.run("waits", "--store", store, "x")
                                .exited(0)
                                .out())
                        .startsWith("x, lock\n");
            } finally {
                one.interrupt();
                one.join();
                other.join();
            }
        }
    }

    /** Each holds for as long as the one below runs, which waits for what the other holds. */
    @Test
    void runsWithinRuns_thatWaitForEachOther_areADeadlock() throws Exception {
        Cli cli = new Cli(directory);
        Files.createDirectories(cli.storeFile().resolveSibling(""));
        List<Cli.Running> started = new ArrayList<>();
        try (Interlock client = cli.client()) {
            Lease gate = client.readWriteLock("gate").writeLock().acquire();
            for (List<String> names : List.of(List.of("x", "y"), List.of("y", "x"))) {
                List<String> wants = cli.command("run", names.get(1), "--", "true");
                List<String> waits = cli.command(List.of("run", "--shared", "gate", "--"), wants);
                started.add(cli.start(cli.command(List.of("run", names.get(0), "--"), waits)));
            }
            Awaitility.await().until(() -> waiting(client.administration().inspect("gate")) == 2);
            gate.release();
            Awaitility.await().until(() -> List.of("x", "y").stream()
                    .allMatch(name -> waiting(client.administration().inspect(name)) == 1));

            String text =
                    InProcess.run("waits", "--store", store(cli)).exited(0).out();

            long left = started.get(0).process().pid();
            long right = started.get(1).process().pid();
            assertThat(text).startsWith("deadlock of 2: ").contains(" for x, ", " for y, ");
            assertThat(text.lines().filter(line -> line.matches(" +process (" + left + "|" + right + ") .*")))
                    .hasSize(2);
            assertThat(text.lines().filter(line -> line.matches("    which runs process \\d+")))
                    .hasSize(2);
            assertThat(text.lines()
                            .map(line -> line.replaceFirst(".*process (\\d+).*", "$1"))
                            .toList())
                    .as("in turn: whom the holder of the one runs, waits in the next")
                    .satisfies(pids -> assertThat(pids.get(4)).isEqualTo(pids.get(5)));
        } finally {
            // From below, as nobody is told of a parent's end.
            started.forEach(run -> run.process().descendants().forEach(ProcessHandle::destroyForcibly));
            started.forEach(run -> run.process().destroyForcibly());
        }
    }

    @Test
    void runWithinARunOfTheSameName_waitsForItself() throws Exception {
        Cli cli = new Cli(directory);
        Files.createDirectories(cli.storeFile().resolveSibling(""));
        Cli.Running run = cli.start(cli.command(List.of("run", "x", "--"), cli.command("run", "x", "--", "true")));
        try (Interlock client = cli.client()) {
            Awaitility.await().until(() -> waiting(client.administration().inspect("x")) == 1);

            assertThat(JsonReader.read(InProcess.run("waits", "--json", "--store", store(cli))
                            .exited(0)
                            .out()))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .extractingByKey("deadlocks")
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .satisfies(link -> assertThat(link.get("runs"))
                            .isEqualTo(Objects.requireNonNull((Map<?, ?>) link.get("waiter"))
                                    .get("pid")));
        } finally {
            run.process().descendants().forEach(ProcessHandle::destroyForcibly);
            run.process().destroyForcibly();
        }
    }

    private static String store(Cli cli) {
        return StoreUri.sqlite(cli.storeFile()).value();
    }

    private static int waiting(List<LockStatus> used) {
        return used.stream().mapToInt(lock -> lock.waiters().size()).sum();
    }

    private static Thread thread(Interlock client, String holds, String wants, CountDownLatch both) {
        Thread thread = new Thread(
                () -> {
                    try (Lease held = client.lock(holds).acquire()) {
                        both.countDown();
                        both.await();
                        try (Lease next = client.lock(wants).acquire()) {
                            assertThat(List.of(held, next)).allMatch(Lease::isValid);
                        }
                    } catch (InterruptedException e) {
                        // It gives up, and the other goes on.
                    }
                },
                "holds-" + holds);
        thread.start();
        return thread;
    }

    private static Listing listing(LockStatus... locks) {
        return Listing.of(List.of(locks), 1000);
    }

    private static LockStatus lock(String name, Holder holder, String waiter, long pid) {
        return lock(name, holder, waiter(waiter, pid));
    }

    private static LockStatus lock(String name, Holder holder, Waiter waiter) {
        return new LockStatus(name, List.of(holder), List.of(waiter));
    }

    private static Holder holder(String owner, long pid) {
        return new Holder(owner, party(pid), Mode.exclusive(), Duration.ofMinutes(2), A_MINUTE, 5);
    }

    private static Holder withToken(Holder holder, long token) {
        return new Holder(
                holder.owner(), holder.party(), holder.mode(), holder.heldFor(), holder.remainingLease(), token);
    }

    private static Waiter waiter(String owner, long pid) {
        return waiter(owner, pid, A_MINUTE);
    }

    private static Waiter waiter(String owner, long pid, Duration waitingFor) {
        return new Waiter(owner, party(pid), Mode.exclusive(), waitingFor);
    }

    private static Party party(long pid) {
        return new Party("db", pid, "shop", "main");
    }
}
