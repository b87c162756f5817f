package dev.interlock.console;

import static dev.interlock.console.Consoles.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.Party;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written down, and how much of it. */
final class HistoryTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String STORE = "redis://shown";
    private static final Party PARTY = new Party("host", 7, "app", "thread");

    /** The owner of an acquisition of ours. */
    private static final String ACQUISITION = "6f0c1e52-0a3b-4c5d-8e7f-901234567890:17";

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void theOldestIsDeleted_butNotWhatGoesOn() throws IOException {
        try (History history = History.open(null, 10)) {
            history.look(STORE, null, at(0), List.of(begun("open", 1)), List.of(), null);
            for (int i = 1; i <= 100; i++) {
                Span span = begun("job-" + i, i);
                history.look(STORE, at(i - 1), at(i), List.of(span), List.of(), null);
                history.look(STORE, at(i), at(i), List.of(), List.of(span.ended(at(i), at(i), Span.End.ENDED)), null);
            }

            assertThat(part(history).spans())
                    .extracting(Span::name)
                    .hasSize(11)
                    .startsWith("job-100")
                    .contains("job-91", "open")
                    .doesNotContain("job-90");
        }
    }

    @Test
    void actions_areBounded() throws IOException {
        try (History history = History.open(null, 3)) {
            for (int i = 1; i <= 9; i++) {
                history.begin(List.of(begunForce(i)));
            }

            assertThat(part(history).actions()).extracting(Action::token).containsExactly(9L, 8L, 7L);
        }
    }

    /** As if the console had been killed while it waited for the store. */
    @Test
    void aForceThatWasBegun_isThereWithoutAnOutcome() throws IOException {
        Path file = directory.resolve("begun.db");
        try (History history = History.open(file, 100)) {
            history.conclude(history.begin(List.of(begunForce(1), begunForce(2))), Action.Outcome.RELEASED);
            history.begin(List.of(begunForce(3)));
        }

        try (History history = History.read(file)) {
            assertThat(part(history).actions())
                    .containsExactly(
                            begunForce(3),
                            begunForce(2).with(Action.Outcome.RELEASED),
                            begunForce(1).with(Action.Outcome.RELEASED));
        }
    }

    private static Action begunForce(int number) {
        return new Action(
                Action.Type.FORCE,
                STORE,
                "job",
                "lock",
                at(number),
                "127.0.0.1",
                "'); DROP TABLE action; --",
                "owner-" + number,
                number,
                PARTY,
                Action.Outcome.BEGUN);
    }

    /** The store was not seen between the looks, so it is not known when the hold ended. */
    @Test
    void whatNobodyLookedAt_isUnseen() throws IOException {
        try (History history = History.open(null, 10)) {
            history.look(STORE, null, at(0), List.of(), List.of(), null);
            history.look(STORE, at(0), at(10), List.of(), List.of(), null);
            history.look(STORE, null, at(100), List.of(), List.of(), null);
            history.look(STORE, at(100), at(110), List.of(), List.of(), null);

            assertThat(history.part(STORE, null, at(0), at(110), 10).unseen())
                    .containsExactly(new History.Unseen(at(10), at(100)));
            assertThat(history.part(STORE, null, at(-60), at(111), 10).unseen())
                    .containsExactly(new History.Unseen(at(-60), at(0)), new History.Unseen(at(10), at(100)));
            assertThat(history.part(STORE, null, at(0), at(200), 10).unseen())
                    .endsWith(new History.Unseen(at(110), at(200)));
            assertThat(history.part("other", null, at(0), at(50), 10).unseen())
                    .containsExactly(new History.Unseen(at(0), at(50)));
        }
    }

    @Test
    void twoConsolesOnOneFile_writeAHoldOnce() throws IOException {
        Path file = directory.resolve("two.db");
        try (History one = History.open(file, 100);
                History two = History.open(file, 100)) {
            Span span = begun("job", 5);
            one.look(STORE, null, at(0), List.of(span), List.of(), List.of(span));
            two.look(STORE, null, at(1), List.of(span), List.of(), List.of(span));
            one.look(STORE, at(0), at(2), List.of(), List.of(span.ended(at(1), at(2), Span.End.ENDED)), null);
            two.look(STORE, at(1), at(3), List.of(), List.of(span.ended(at(2), at(3), Span.End.ENDED)), null);

            assertThat(part(two).spans()).singleElement().isEqualTo(span.ended(at(1), at(2), Span.End.ENDED));
        }
    }

    /** An owner without a token may be of another library, which uses it again. */
    @Test
    void aForeignOwner_mayHoldAgain() throws IOException {
        try (History history = History.open(null, 100)) {
            for (int i = 0; i < 2; i++) {
                Span span = begun("job", 0);
                history.look(STORE, null, at(i), List.of(span), List.of(), null);
                history.look(STORE, at(i), at(i), List.of(), List.of(span.ended(at(i), at(i), Span.End.ENDED)), null);
            }

            assertThat(part(history).spans()).hasSize(2);
        }
    }

    @Test
    void aPartThatIsCut_saysHowManyThereAre() throws IOException {
        try (History history = History.open(null, 100)) {
            for (int i = 0; i < 3; i++) {
                Span span = begun("job", i + 1);
                history.look(STORE, null, at(i), List.of(span), List.of(), null);
            }

            History.Part cut = history.part(STORE, "job", at(-1), at(10), 2);
            assertThat(cut.spans()).hasSize(2);
            assertThat(cut.total()).isEqualTo(3);
            assertThat(cut.complete()).isFalse();
            assertThat(history.part(STORE, "job", at(-1), at(10), 3).complete()).isTrue();
            assertThat(history.part(STORE, "other", at(-1), at(10), 2).total()).isZero();
        }
    }

    @Test
    void aPartWhoseActionsAreCut_saysHowManyThereAre() throws IOException {
        try (History history = History.open(null, 100)) {
            history.begin(List.of(begunForce(1), begunForce(2), begunForce(3)));

            History.Part cut = history.part(STORE, null, at(-1), at(10), 2);
            assertThat(cut.actions()).hasSize(2);
            assertThat(cut.total()).isEqualTo(3);
            assertThat(cut.complete()).isFalse();
            assertThat(history.part(STORE, null, at(-1), at(10), 3).complete()).isTrue();
        }
    }

    /** A claim that was woken neither waits nor holds until it is granted. */
    @ParameterizedTest
    @EnumSource(names = {"GONE", "UNSEEN"})
    void aWaitThatALookMissed_isGranted_ifItHoldsLater(Span.End noted) throws IOException {
        try (History history = History.open(null, 100)) {
            Span wait = claim(false, ACQUISITION, 0, 0);
            history.look(STORE, null, at(0), List.of(wait), List.of(), null);
            history.look(STORE, at(0), at(1), List.of(), List.of(wait.ended(at(0), at(1), noted)), null);
            Span hold = claim(true, ACQUISITION, 5, 2);
            history.look(STORE, at(1), at(3), List.of(hold), List.of(), null);

            assertThat(part(history).spans())
                    .containsExactlyInAnyOrder(hold, wait.ended(at(0), at(2), Span.End.GRANTED));
            history.look(STORE, at(3), at(4), List.of(), List.of(hold.ended(at(3), at(4), Span.End.ENDED)), null);
            assertThat(part(history).spans())
                    .extracting(Span::end)
                    .containsExactlyInAnyOrder(Span.End.ENDED, Span.End.GRANTED);
        }
    }

    /** While nobody holds a name it is not listed, and none of its waits. */
    @Test
    void aWaitThatALookMissed_goesOn_ifItWaitsLater() throws IOException {
        try (History history = History.open(null, 100)) {
            Span wait = claim(false, ACQUISITION, 0, 0);
            history.look(STORE, null, at(0), List.of(wait), List.of(), null);
            history.look(STORE, at(0), at(1), List.of(), List.of(wait.ended(at(0), at(1), Span.End.GONE)), null);
            history.look(STORE, at(1), at(2), List.of(wait), List.of(), null);
            assertThat(part(history).spans()).containsExactly(wait);

            Span ended = wait.ended(at(2), at(3), Span.End.GONE);
            history.look(STORE, at(2), at(3), List.of(), List.of(ended), null);
            assertThat(part(history).spans()).containsExactly(ended);
        }
    }

    /** Another library uses an owner again, so a hold of it says nothing of an earlier wait. */
    @Test
    void aWaitOfAnotherLibrary_staysGone() throws IOException {
        try (History history = History.open(null, 100)) {
            Span wait = claim(false, "foreign:1", 0, 0);
            Span gone = wait.ended(at(0), at(1), Span.End.GONE);
            history.look(STORE, null, at(0), List.of(wait), List.of(), null);
            history.look(STORE, at(0), at(1), List.of(), List.of(gone), null);
            history.look(STORE, at(1), at(3), List.of(claim(true, "foreign:1", 5, 2)), List.of(), null);

            assertThat(part(history).spans()).hasSize(2).contains(gone);
        }
    }

    @Test
    void whatEndedWhileNoConsoleRan_isMarked() throws Exception {
        Path file = directory.resolve("history.db");
        String uri = "sqlite:" + directory.resolve("locks.db");
        try (Interlock client = Interlock.connect(uri)) {
            Lease ends = client.lock("ends").acquire();
            Lease stays = client.lock("stays").acquire();
            try (Console console = new Consoles().store(uri).history(file, 100).start()) {
                Browser.of(console)
                        .await("/api/history", json -> list(json, "records").size() == 2);
            }
            ends.close();
            try (Console console = new Consoles().store(uri).history(file, 100).start()) {
                var history = Browser.of(console).await("/api/history", json -> list(json, "records").stream()
                        .anyMatch(record -> record.containsKey("end")));

                assertThat(list(history, "records"))
                        .extracting(record -> record.get("name") + " " + record.get("end"))
                        .containsExactlyInAnyOrder("ends unseen", "stays null");
                assertThat(list(history, "unseen")).hasSizeGreaterThanOrEqualTo(2);
            }
            stays.close();
        }
    }

    @Test
    void theFile_isForItsUserAlone() throws IOException {
        Path file = directory.resolve("made").resolve("history ?%#.db");
        History.open(file, 10).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("made"))))
                .isEqualTo("rwx------");
        try (History history = History.read(file)) {
            assertThat(history.stores()).isEmpty();
        }
    }

    @Test
    void anotherFile_isRefused_andLeftAlone() throws Exception {
        Path text = Files.writeString(directory.resolve("text"), "not a database, but long enough to be one".repeat(9));
        Path locks = directory.resolve("locks.db");
        try (Interlock client = Interlock.connect("sqlite:" + locks)) {
            client.lock("job").acquire().close();
        }

        assertThatThrownBy(() -> History.open(text, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("text");
        assertThatThrownBy(() -> History.open(locks, 10)).hasMessageContaining("another database");
        assertThatThrownBy(() -> History.open(directory, 10)).hasMessageContaining("not a file");
        assertThatThrownBy(() -> History.read(directory.resolve("none"))).hasMessageContaining("there is no history");
        assertThatThrownBy(() -> History.read(locks)).hasMessageContaining("not a history");
        assertThat(Files.readString(text)).startsWith("not a database");
        try (Interlock client = Interlock.connect("sqlite:" + locks)) {
            client.lock("job").acquire().close();
        }
    }

    private static History.Part part(History history) throws IOException {
        return history.part(STORE, null, at(-1), at(1000), 100);
    }

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }

    private static Span begun(String name, long token) {
        return new Span(
                true, STORE, name, "lock", "exclusive", "owner-" + token, token, PARTY, at(0), null, null, null);
    }

    private static Span claim(boolean hold, String owner, long token, int second) {
        return new Span(hold, STORE, "job", "lock", "exclusive", owner, token, PARTY, at(second), null, null, null);
    }

    /** Whoever may write it decides what is shown; whoever may read it learns names and hosts. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm", "-journal"})
    void aFileThatIsOpenToOthers_orIsNotOurs_isRefused(String end) throws IOException {
        Path file = directory.resolve("others.db");
        History.open(file, 10).close();
        Object uid = Files.getAttribute(file, "unix:uid");
        Path beside = directory.resolve("others.db" + end);
        if (!Files.exists(beside)) {
            Files.createFile(beside);
        }
        for (String mode : List.of("rw----r--", "rw-r-----", "rw--w----")) {
            Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> History.open(file, 10))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(beside + " is open to other users, mode " + mode)
                    .hasMessageContaining("chmod 600");
        }
        Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-------"));
        History.ensurePrivate(file, uid);
        assertThatThrownBy(() -> History.ensurePrivate(file, (int) uid + 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to another user");
        Files.deleteIfExists(beside);
    }
}
