package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisSentinels;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor}: each store says what it knows, and the exit code is that of the worst. */
final class DoctorTest {

    /** The checks that say how quick the store and this machine are. */
    private static final Set<String> MEASURED = Set.of("round trip", "clock", "waiting");

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void redis_withoutPersistence_isWarnedOf_andWithItIsNot() {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            Map<String, String> found = verdicts(server.uri(), 1);

            assertThat(found)
                    .containsEntry("server", "good")
                    .containsEntry("eviction", "good")
                    .containsEntry("persistence", "warning")
                    .containsEntry("failover", "note")
                    .containsEntry("lock", "good");
            server.command("CONFIG", "SET", "appendonly", "yes");
            server.command("CONFIG", "SET", "maxmemory", "100mb");
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(verdicts(server.uri(), 1))
                    .containsEntry("persistence", "note")
                    .containsEntry("eviction", "warning");
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            assertThat(verdicts(server.uri(), 0)).containsEntry("eviction", "good");
            // Nobody confirms.
            assertThat(verdicts(server.uri() + "?replicas=1", 2))
                    .containsEntry("failover", "bad")
                    .containsEntry("lock", "bad");
            assertThat(server.command("DBSIZE"))
                    .isEqualTo(server.command("EVAL", "return #redis.call('keys', '*fence*')", "0"));
        }
    }

    @Tag(Effort.TIMING)
    @Test
    void whatIsMeasured_isGood_onAQuietMachine() {
        try (RedisServer server = RedisServer.start()) {
            String out = InProcess.run("doctor", "--store", server.uri()).out();

            assertThat(MEASURED).allSatisfy(check -> assertThat(out).containsPattern("(?m)^good +" + check + " "));
        }
    }

    /** The rights of docs/redis.md. */
    @Test
    void redis_withTheLeastRights_saysWhatItCannotFindOut_andGoesOn() {
        try (RedisServer server = RedisServer.start()) {
            server.command(
                    ("ACL SETUSER lock on >secret ~* resetchannels &interlock_inbox:* +evalsha +script|load +pttl "
                                    + "+pexpire +time +exists +del +get +set +hset +hget +hexists +hdel +hgetall +hlen "
                                    + "+publish +subscribe +unsubscribe")
                            .split(" "));
            Map<String, String> found = verdicts("redis://lock:secret@127.0.0.1:" + server.port(), 0);

            assertThat(found)
                    .containsEntry("server", "good")
                    .containsEntry("memory and replicas", "unknown")
                    .containsEntry("slow commands", "unknown")
                    .containsEntry("listing", "unknown")
                    .containsEntry("lock", "good");

            server.command("ACL", "SETUSER", "lock", "-hset");
            assertThat(verdicts("redis://lock:secret@127.0.0.1:" + server.port(), 2))
                    .containsEntry("lock", "bad");
        }
    }

    /** The script takes as long as a bad KEYS. What follows its first key may be data, and is left out. */
    @Test
    void redis_namesTheSlowCommandsOfOthers() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(verdicts(server.uri(), 1)).containsEntry("slow commands", "good");
            server.command(
                    "EVAL",
                    "for i = 1, 5e7 do end return 'enough, and what comes then is not shown'",
                    "1",
                    "their\u001bkey",
                    "hush");

            String out = InProcess.run("doctor", "--store", server.uri()).out();

            assertThat(out)
                    .containsPattern(
                            "(?m)^(note|warning) +slow commands +1 logged in the last minute: EVAL for i = .*… 1 "
                                    + "their\\\\u\\{1B}key … took [0-9]+ ms, [0-9]+ s ago from 127\\.0\\.0\\.1:")
                    .contains("-> the server answers nobody meanwhile")
                    .doesNotContain("hush", "\u001b");
        }
    }

    /** Neither the password nor a right is wrong. */
    @Test
    void redis_thatRunsALongScript_isToldFromWrongCredentials() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            server.command("CONFIG", "SET", "busy-reply-threshold", "1");
            Thread script = new Thread(() -> {
                try {
                    server.command("EVAL", "while true do end", "0");
                } catch (RuntimeException e) {
                    // It is ended below.
                }
            });
            script.start();
            Awaitility.await().until(() -> isBusy(server));

            String out =
                    InProcess.run("doctor", "--store", server.uri()).exited(69).out();
            server.command("SCRIPT", "KILL");
            script.join();

            assertThat(out.lines().filter(line -> line.startsWith("to do: ")))
                    .singleElement()
                    .asString()
                    .contains("SCRIPT KILL");
            assertThat(out).as("no right is missing").doesNotContain("give the user", "ls and top need");
        }
    }

    private static boolean isBusy(RedisServer server) {
        try {
            server.command("PING");
            return false;
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage()).startsWith("BUSY");
        }
    }

    @Tag("long")
    @Test
    void redis_inACluster_andBehindSentinels_looksAtEachMaster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            Map<String, String> found = verdicts(cluster.uri(), 1);
            assertThat(found).containsEntry("cluster", "good");
            cluster.masters()
                    .forEach(master -> assertThat(found).containsKey("persistence 127.0.0.1:" + master.port()));
        }
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            assertThat(verdicts(sentinels.uri(), 1)).containsEntry("failover", "note");
        }
    }

    @Test
    void sqlite_looksAtTheFile() throws Exception {
        Path file = directory.resolve("locks.db");
        String store = StoreUri.sqlite(file).value();

        assertThat(verdicts(store, 0))
                .containsEntry("server", "good")
                .containsEntry("file", "good")
                .containsEntry("content", "good")
                .containsEntry("wakes", "good")
                .containsEntry("failover", "note");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(verdicts(store, 1)).containsEntry("file", "warning");
    }

    /** A file has no users and no schemes. */
    @Test
    void sqlite_thatCannotBeUsed_hasAnAdviceForFiles() throws Exception {
        Path file = Files.writeString(directory.resolve("text"), "no database, but long enough to be taken for one");

        Cli.Result result =
                InProcess.run("doctor", "--store", StoreUri.sqlite(file).value());

        assertThat(result.exited(69).out().lines().filter(line -> line.startsWith("to do: ")))
                .singleElement()
                .asString()
                .contains("the place of the file, its mode or owner");
    }

    @Test
    void postgresql_namesTheRightThatLacks() {
        PostgresServer server = PostgresServer.shared();
        String url = server.newDatabase();
        // The servers of tests do not wait for the disk.
        assertThat(verdicts(url, 1))
                .containsEntry("rights", "good")
                .containsEntry("persistence", "warning")
                .containsEntry("failover", "note");

        PostgresServer.execute(url, "CREATE ROLE poor LOGIN");
        PostgresServer.execute(url, "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO poor");
        Cli.Result poor = InProcess.run("doctor", "--store", url.replace("user=postgres", "user=poor"));

        assertThat(poor.exited(2).out().lines()).anySatisfy(line -> assertThat(line)
                .matches("bad +rights +the user lacks DELETE on interlock_lock, DELETE on interlock_claim"));
        PostgresServer.execute(url, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM poor");
        PostgresServer.execute(url, "DROP ROLE poor");
    }

    @Test
    void aStoreThatIsNotThere_isUnavailable_andWhatToDoIsSaidFirst() {
        Cli.Result result = InProcess.run("doctor", "--store", "redis://u:secret@127.0.0.1:1");

        assertThat(result.exited(69).errorLines())
                .singleElement()
                .asString()
                .contains("the store is unavailable")
                .doesNotContain("secret");
        assertThat(result.out().lines().filter(line -> !line.isEmpty()))
                .startsWith(
                        "redis://u@127.0.0.1:1",
                        "to do: start the server, or correct the port in the URI: the usual one of redis is 6379");
        assertThat(result.out())
                .contains("bad      host   127.0.0.1:1 refuses connections\n", "bad      store  it cannot be asked: ")
                .doesNotContain("secret", "the password");
    }

    /** Each host of a URI is looked at, and a name that is unknown is no server that is silent. */
    @Test
    void hosts_areLookedAtOneByOne() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Examination found = new Examination();
            boolean taken = Hosts.of(new StoreUri("jdbc:postgresql://u:secret@127.0.0.1:" + other.getLocalPort()
                            + ",127.0.0.1:1,no-such.invalid/db?sslmode=require"))
                    .look(found);

            assertThat(taken).isTrue();
            assertThat(found.findings())
                    .extracting(Finding::state)
                    .containsExactly(
                            "127.0.0.1:" + other.getLocalPort() + " takes connections",
                            "127.0.0.1:1 refuses connections",
                            "the name no-such.invalid is not known to this machine");
        }
        assertThat(Hosts.of(new StoreUri("sqlite:/tmp/x.db")).look(new Examination()))
                .isTrue();
        assertThat(Hosts.of(new StoreUri("redis://h:5432")).advice(false))
                .isEqualTo("correct the port in the URI, or its scheme; did you mean jdbc:postgresql://h:5432?");
        assertThat(Hosts.of(new StoreUri("jdbc:postgresql://h:5432/db")).advice(false))
                .startsWith("correct what the message names");
        assertThat(Hosts.of(new StoreUri("jdbc:postgresql://h:5432/db")).advice(true))
                .startsWith("look at the server");
    }

    /** Who may not even look is told the rest. */
    @Test
    void redis_withoutTheRightToLook_goesOn() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL SETUSER lock on >secret ~* &* +info +config|get +ping +hello +client".split(" "));

            Cli.Result result = InProcess.run("doctor", "--store", "redis://lock:secret@127.0.0.1:" + server.port());

            assertThat(result.exited(69).out())
                    .contains("\nto do: ", "bad      store ", "good     host ", "NOPERM", " memory ")
                    .doesNotContain("secret");
            assertThat(InProcess.run("doctor", "--store", "redis://lock:wrong@127.0.0.1:" + server.port())
                            .exited(69)
                            .out())
                    .contains("WRONGPASS");
        }
    }

    /** A name that is held is not taken away, and what there is to say is said. */
    @Test
    void aNameThatIsHeld_isLeftAlone() throws InterruptedException {
        String store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        try (Interlock interlock = Interlock.connect(store);
                Lease lease = interlock.lock("mine").acquire()) {
            Cli.Result result = InProcess.run("doctor", "--store", store, "--name", "mine");
            String out = result.out();
            int worst = 0;
            for (String check : MEASURED) {
                worst |= out.contains("\nwarning  " + check + " ") ? 1 : 0;
            }

            result.exited(worst);
            assertThat(out.lines())
                    .anySatisfy(line -> assertThat(line).matches("note +lock +it is held by somebody else"))
                    .anySatisfy(line -> assertThat(line).matches(" +-> name another one by --name"))
                    .anySatisfy(line -> assertThat(line).matches("good +server +SQLite [0-9.]+"));
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void whatAServerSays_isEscaped_andHasNoPassword() {
        StoreUri store = new StoreUri("redis://u:hush@host");
        Finding hostile = new Finding(
                Finding.Verdict.BAD, "ser\u001b[2Jver", "at redis://u:hush@host\n\u202egood", "do\u0007 this");

        String text = DoctorCommand.text(store, List.of(hostile));

        assertThat(text).doesNotContain("hush").doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\u202e]");
        assertThat(text.lines()).hasSize(5);
    }

    /**
     * The verdict on each check, by the form for programs, which has the same findings and no password.
     *
     * @param worst the exit code for the worst of the findings on which the speed of this machine has no effect
     */
    static Map<String, String> verdicts(String store, int worst) {
        Cli.Result result = InProcess.run("doctor", "--json", "--store", store);
        assertThat(result.out() + result.err()).doesNotContain("secret").doesNotContain("\u001b");
        Map<?, ?> json = (Map<?, ?>) JsonReader.read(result.out());
        Map<String, String> verdicts = new LinkedHashMap<>();
        for (Object each : (List<?>) Objects.requireNonNull(json.get("findings"))) {
            Map<?, ?> finding = (Map<?, ?>) each;
            assertThat((String) finding.get("state")).isNotEmpty();
            verdicts.put((String) finding.get("check"), (String) finding.get("verdict"));
        }
        result.exited(exitCode(verdicts));
        verdicts.keySet().removeAll(MEASURED);
        assertThat(exitCode(verdicts)).as("worst of %s", verdicts).isEqualTo(worst);
        return verdicts;
    }

    private static int exitCode(Map<String, String> verdicts) {
        return verdicts.containsValue("bad") ? 2 : verdicts.containsValue("warning") ? 1 : 0;
    }
}
