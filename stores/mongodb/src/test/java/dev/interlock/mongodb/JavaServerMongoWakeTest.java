package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Who waits hears of its turn by a change stream. On mongo-java-server, not MongoDB, with change streams of the tests'
 * own in the form that MongoDB documents; on a replica set of MongoDB if told so.
 */
class JavaServerMongoWakeTest {

    private static final Duration PATIENCE = Patience.FULL;

    private static StreamingBackend backend;
    private static TestMongo mongo;
    private Heard holder;
    private Heard waiter;

    @BeforeAll
    static void start() {
        backend = new StreamingBackend();
        mongo = TestMongo.start(backend);
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @BeforeEach
    void connect() {
        holder = open();
        waiter = open();
    }

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
    }

    private static Heard open() {
        return new Heard(MongoStore.over(mongo.client(), mongo.database()));
    }

    /** Waits, and stays listed for longer than any test takes. */
    private Claim waits(Claim claim) {
        Claim waiting = waiter.waits(claim);
        mongo.keepListed(claim.id());
        return waiting;
    }

    @Test
    void P11_aRelease_wakesTheOneWhoseTurnItIs_andNobodyElse() {
        Claim held = holder.hold("turn");
        Claim first = waits(waiter.claim("turn"));
        Claim second = waits(waiter.claim("turn"));
        assertThat(waiter.isWoken(first)).isFalse();

        waiter.busy(first);
        holder.release(held);

        waiter.awaitWake(first);
        assertThat(waiter.isWoken(second)).isFalse();
        waiter.granted(first);
        waiter.busy(second);
        waiter.release(first);
        waiter.awaitWake(second);
        waiter.granted(second);
    }

    /** Its client has to know: callers may wait there for whom nothing is listed. */
    @Test
    void aClaimThatIsEndedByForce_isToldToAClientThatListens() {
        Claim held = waiter.hold("forced");
        Claim blocked = holder.hold("listening");
        waits(waiter.claim("listening"));

        assertThat(holder.release(held.byForce())).isTrue();

        waiter.awaitWake(held);
        assertThat(holder.isWoken(blocked)).isFalse();
    }

    /** A claim that was woken and does not come takes the wake along. */
    @Test
    void P11_aWokenOneThatGivesUp_wakesTheNext() {
        Claim held = holder.hold("given up");
        Claim first = waits(waiter.claim("given up"));
        Claim second = waits(waiter.claim("given up"));
        waiter.busy(first);
        waiter.busy(second);
        holder.release(held);
        waiter.awaitWake(first);

        waiter.release(first);

        waiter.awaitWake(second);
        waiter.granted(second);
    }

    @Test
    void writersRelease_wakesTheReadersBehind_notTheNextWriter() {
        LockId id = new LockId("shared", LockKind.READ_WRITE);
        Claim writer = holder.claim(id).inMode(Mode.fair());
        holder.granted(writer);
        Claim one = waits(waiter.claim(id).inMode(Mode.shared()));
        Claim two = waits(waiter.claim(id).inMode(Mode.shared()));
        Claim last = waits(waiter.claim(id).inMode(Mode.fair()));

        holder.granted(writer.inMode(Mode.shared()));

        waiter.awaitWake(one);
        waiter.awaitWake(two);
        assertThat(waiter.isWoken(last)).isFalse();
    }

    @Test
    void permitsThatComeBack_wakeWhoeverTheyAreEnoughFor() {
        LockId id = new LockId("permits", LockKind.SEMAPHORE);
        Claim two = holder.claim(id).inMode(new Mode.Permits(2, 3));
        Claim one = holder.claim(id).inMode(new Mode.Permits(1, 3));
        holder.granted(two);
        holder.granted(one);
        Claim wantsTwo = waits(waiter.claim(id).inMode(new Mode.Permits(2, 3)));
        Claim wantsOne = waits(waiter.claim(id).inMode(new Mode.Permits(1, 3)));

        holder.release(two);

        waiter.awaitWake(wantsTwo);
        assertThat(waiter.isWoken(wantsOne)).isFalse();
        holder.executed(holder.command(id, new Command.Resize(4)));
        waiter.awaitWake(wantsOne);
    }

    @Test
    void theLastCount_wakesAllWhoWaitForZero() {
        LockId id = new LockId("latch", LockKind.LATCH);
        holder.executed(holder.command(id, new Command.SetCount(1)));
        Claim one = waits(waiter.claim(id).inMode(new Mode.AwaitZero()));
        Claim two = waits(waiter.claim(id).inMode(new Mode.AwaitZero()));

        holder.executed(holder.command(id, new Command.CountDown()));

        waiter.awaitWake(one);
        waiter.awaitWake(two);
    }

    @Test
    void claimThatIsWoken_holds_afterOneStream() throws Exception {
        hearing((commands, released) -> released.run());
    }

    /** P13: about once a second while nothing happens. */
    @Tag(Effort.TIMING)
    @Test
    void P13_claimThatIsWoken_asksSeldom() throws Exception {
        hearing((commands, released) -> {
            long asked = commands.count("find");
            await().during(Duration.ofMillis(1_500)).until(() -> commands.count("find") - asked < 8);
            released.run();
        });
    }

    /** A caller waits until it is woken: {@code step} looks at its commands, and releases the lock. */
    private static void hearing(BiConsumer<Commands, Runnable> step) throws Exception {
        Commands commands = new Commands();
        try (MongoClient watched = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(mongo.uri()))
                        .addCommandListener(commands)
                        .build());
                Interlock here = Interlock.builder(MongoStore.over(watched, mongo.database()))
                        .build();
                Interlock there = Interlock.builder(MongoStore.over(mongo.client(), mongo.database()))
                        .build()) {
            Lease held = there.lock("seldom").acquire();
            CompletableFuture<Lease> waiting =
                    here.lock("seldom").acquireAsync().toCompletableFuture();
            await().atMost(PATIENCE).until(() -> commands.count("getMore") > 1);

            step.accept(commands, held::close);

            waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
            assertThat(commands.count("aggregate")).isOne();
        }
    }
}
