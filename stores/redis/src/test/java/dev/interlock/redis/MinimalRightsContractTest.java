package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.contract.store.LockStoreContract;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * P28: the contract holds with the rights that docs/redis.md calls the least, and each of them that is missing is
 * named.
 */
@Tag("server")
@Tag("drivers")
@Tag("wide")
class MinimalRightsContractTest extends LockStoreContract {

    private static LeastRights least;
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        least = new LeastRights();
        server = least.server;
    }

    @AfterAll
    static void stopServer() {
        least.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(least.uri());
    }

    @ParameterizedTest
    @CsvSource({
        "-evalsha, acquire, +evalsha",
        "-script, acquire, +script",
        "-pttl, acquire, +pttl",
        "-time, acquire, +time",
        "-hset, acquire, +hset",
        "-pexpire, acquire, +pexpire",
        "-set, acquire, +set",
        "resetkeys, acquire, ~ for the lock's key",
        "-get, acquire in order, +get",
        "-hexists, release, +hexists",
        "-del, release, +del",
        "-exists, release, +exists",
        "-hdel, give up, +hdel",
        "-hgetall, inspect, +hgetall",
        "-scan, list, +scan",
        "-hget, acquire again, +hget",
        "-hget, force, +hget",
        "-hexists, renew, +hexists",
        "-pexpire, renew, +pexpire",
        "-hget, renew permits, +hget",
        "-hexists, renew share, +hexists",
        "-hset, renew permits, +hset",
        "-pttl, renew permits, +pttl",
        "-set, renew share, +set",
    })
    void P28_aMissingRightIsNamedByTheFirstVerbThatMissesIt(String taken, String verb, String named) {
        server.command("SCRIPT", "FLUSH");
        grant("less", taken);
        try (Probe probe = new Probe(uri("less"))) {
            assertThat(Probe.refusal(() -> ask(probe, verb)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("The Redis user lacks a right")
                    .hasMessageContaining(named);
        }
    }

    /** I6: a script is not rolled back, and what it has written would be there for ever. */
    @ParameterizedTest
    @EnumSource(LockKind.class)
    void P28_whoMayNotGiveAKeyALifeLeavesNoneWithoutEnd(LockKind kind) {
        grant("less", "-pexpire");
        server.command("FLUSHALL");
        List<Mode> modes =
                switch (kind) {
                    case LOCK -> List.of(Mode.exclusive(), Mode.fair());
                    case READ_WRITE -> List.of(Mode.shared(), Mode.fair());
                    case SEMAPHORE -> List.of(new Mode.Permits(1, 2));
                    case LATCH -> List.of();
                };
        List<Command.Action> actions =
                switch (kind) {
                    case LOCK, READ_WRITE -> List.of();
                    case SEMAPHORE -> List.of(new Command.Resize(2));
                    case LATCH -> List.of(new Command.SetCount(1));
                };
        try (Probe probe = new Probe(uri("less"));
                Probe holder = new Probe(least.uri())) {
            for (Mode mode : modes) {
                Claim claim = probe.claim("free", kind, mode);
                assertThat(Probe.refusal(() -> probe.store.acquire(claim))).hasMessageContaining("+pexpire");
                assertThat(endless()).isEmpty();
                holder.granted(holder.claim("free", kind, mode));
                server.command("FLUSHALL");
            }
            for (Command.Action action : actions) {
                Command command = probe.command("free", action);
                assertThat(Probe.refusal(() -> probe.store.execute(command))).hasMessageContaining("+pexpire");
                assertThat(endless()).isEmpty();
                holder.executed(holder.command("free", action));
                server.command("FLUSHALL");
            }
            waitBehind(holder, probe, kind);
            assertThat(endless()).isEmpty();
        }
    }

    private static List<String> endless() {
        return server.list("KEYS", "*").stream()
                .filter(key -> server.command("PTTL", key).equals("-1"))
                .toList();
    }

    private static void waitBehind(Probe holder, Probe probe, LockKind kind) {
        Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 1) : Mode.fair();
        boolean isLatch = kind == LockKind.LATCH;
        if (isLatch) {
            holder.executed(holder.command("held", new Command.SetCount(1)));
        } else {
            holder.granted(holder.claim("held", kind, mode));
        }
        Claim waiting =
                probe.claim("held", kind, isLatch ? new Mode.AwaitZero() : mode).waiting(Duration.ZERO);
        // At first it cannot be woken, and is not listed.
        await().untilAsserted(() ->
                assertThat(Probe.failure(probe.store.acquire(waiting))).hasMessageContaining("+pexpire"));
        if (kind == LockKind.LOCK) {
            assertThat(Probe.failure(probe.store.acquire(waiting.inMode(Mode.exclusive()))))
                    .hasMessageContaining("+pexpire");
        }
    }

    /**
     * Without the right to publish a release is one all the same, and without that to subscribe a claim waits by
     * asking. Each is named once in the log.
     */
    @ParameterizedTest
    @CsvSource({
        "resetchannels, +publish, +subscribe",
        "-publish, +publish,",
        "-subscribe, , +subscribe",
    })
    void P28_withoutRightsToChannelsLocksAreReleasedAndWaitedFor(
            String taken, @Nullable String namedByHolder, @Nullable String namedByWaiter) {
        grant("mute", taken);
        try (LogCapture log = new LogCapture();
                Probe holder = new Probe(uri("mute"));
                Probe waiter = new Probe(least.uri());
                Probe deaf = new Probe(uri("mute"))) {
            for (int round = 0; round < 2; round++) {
                Claim held = holder.hold("mute");
                Claim listed = waiter.claim("mute").waiting(Duration.ofSeconds(1));
                waiter.busy(listed);
                Claim other = deaf.claim("mute").waiting(Duration.ofSeconds(2));
                if (namedByWaiter != null) {
                    assertThat(deaf.refused(other)).isLessThanOrEqualTo(other.waited());
                    assertThat(server.list("HKEYS", "interlock_waiters:{mute}"))
                            .containsExactly(listed.owner().value());
                    await().until(() -> isNamed(log, namedByWaiter));
                }

                assertThat(holder.release(held)).isTrue();
                deaf.granted(other);
                deaf.release(other);
                waiter.release(listed);
            }
            Stream.of(namedByHolder, namedByWaiter).filter(Objects::nonNull).forEach(right -> assertThat(log.warnings)
                    .filteredOn(record -> record.getMessage().contains(right))
                    .hasSize(1));
        }
    }

    private static boolean isNamed(LogCapture log, String right) {
        return log.warnings.stream().anyMatch(record -> record.getMessage().contains(right));
    }

    private static CompletionStage<?> ask(Probe probe, String verb) {
        return switch (verb) {
            case "acquire" -> probe.store.acquire(probe.claim("rights-" + probe.id));
            case "acquire in order" ->
                probe.store.acquire(probe.claim("rights-" + probe.id).inMode(Mode.fair()));
            case "release" -> probe.store.release(held(probe));
            case "give up" -> probe.store.release(probe.claim("rights-" + probe.id));
            case "acquire again" -> probe.store.acquire(held(probe));
            case "force" -> probe.store.release(held(probe).byForce());
            case "renew" -> probe.store.renew(List.of(held(probe)));
            case "renew permits" -> probe.store.renew(List.of(granted(LockKind.SEMAPHORE, new Mode.Permits(1, 2))));
            case "renew share" -> probe.store.renew(List.of(granted(LockKind.READ_WRITE, Mode.shared())));
            case "inspect" -> probe.store.inspect(probe.claim("x").id());
            default -> probe.store.list("", 1);
        };
    }

    /** Written by a client with more rights. */
    private static Claim held(Probe probe) {
        Claim claim = probe.claim("rights-" + probe.id);
        server.command("HSET", claim.id().name(), claim.owner().value(), "1");
        return claim;
    }

    /** The same of another kind. */
    private static Claim granted(LockKind kind, Mode mode) {
        try (Probe owner = new Probe(least.uri())) {
            Claim claim = owner.claim("rights-" + owner.id, kind, mode);
            owner.granted(claim);
            return claim;
        }
    }

    private static void grant(String user, String rights) {
        LeastRights.grant(least.server, user, LeastRights.documented() + " " + rights);
    }

    private static String uri(String user) {
        return LeastRights.uri(user, server.port());
    }
}
