package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.Tap;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Permits that a waiting claim takes, of which the client learns everything but the fence: the claim has them, and they
 * are not in its own way (I7).
 */
class TakenPermitsTest {

    private static final LockId ID = new LockId("taken", LockKind.SEMAPHORE);
    private static final Mode.Permits ONLY = new Mode.Permits(1, 1);

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Test
    void aBreakBehindTheAnswerThatTheyAreTaken_costsNothing() throws Exception {
        CutBehindTransaction cut = new CutBehindTransaction();
        FaultProxy proxy = FaultProxy.to(SERVER.server(), cut);
        try (Probe probe =
                        new Probe(ZooKeeperStore.at(SERVER.server().uriAt(proxy.port()) + "?session=5m")).connected();
                Probe other = SERVER.probe()) {
            Claim first = other.claim(ID, ONLY);
            other.granted(first);
            Claim waiting = probe.claim(ID, ONLY).waiting(Duration.ZERO);
            probe.busy(waiting);

            cut.before(() -> proxy.blackHole(Direction.TO_CLIENT));
            other.release(first);
            await().until(() -> proxy.heldBytes(Direction.TO_CLIENT) > 0);
            long before = proxy.forwardedBytes(Direction.TO_CLIENT);
            proxy.heal();
            await().until(() -> proxy.forwardedBytes(Direction.TO_CLIENT) > before);
            assertThat(SERVER.children("/taken/leases")).hasSize(1);
            proxy.reset();

            await().until(() -> probe.woken.contains(waiting.owner()));
            probe.granted(waiting);
            assertThat(probe.release(waiting)).isTrue();
            assertThat(SERVER.children("/taken/leases")).isEmpty();
        } finally {
            proxy.close();
        }
    }

    /**
     * The time of another claim ends, and the store looks what is over, while the answer that they are taken is on its
     * way.
     */
    @Test
    void aLookAtWhatIsOver_leavesThemAlone() throws Exception {
        CutBehindTransaction transaction = new CutBehindTransaction();
        FaultProxy proxy = FaultProxy.to(SERVER.server(), transaction);
        try (Probe probe =
                new Probe(ZooKeeperStore.at(SERVER.server().uriAt(proxy.port()) + "?session=5m")).connected()) {
            probe.granted(probe.claim("brief").withLease(Duration.ofSeconds(4)));
            transaction.at(() -> proxy.blackHole(Direction.TO_CLIENT));
            Claim only = probe.claim(ID, ONLY).waiting(Duration.ZERO);
            CompletableFuture<Attempt> asked = probe.store.acquire(only).toCompletableFuture();
            await().until(() -> proxy.heldBytes(Direction.TO_CLIENT) > 0);
            await().until(() -> SERVER.children("/brief").isEmpty());
            assertThat(asked).isNotDone();

            proxy.heal();

            assertThat(Probe.answer(asked)).isInstanceOf(Attempt.Granted.class);
            assertThat(probe.renew(only)).isEqualTo(Renewal.HELD);
            assertThat(SERVER.children("/taken/leases")).hasSize(1);
            assertThat(probe.release(only)).isTrue();
        } finally {
            proxy.close();
        }
    }

    /** Lets one transaction through; what its connection sends behind it may become a sign of life. */
    private static final class CutBehindTransaction implements Tap {
        private static final int KIND_AT = 8;
        private static final int MULTI = 14;

        /** Its length, its number and its kind. */
        private static final byte[] PING =
                ByteBuffer.allocate(12).putInt(8).putInt(-2).putInt(11).array();

        private final AtomicBoolean armed = new AtomicBoolean();
        private volatile Runnable before = () -> {};
        private volatile boolean cutting;

        void before(Runnable action) {
            cutting = true;
            at(action);
        }

        /** Cuts nothing. */
        void at(Runnable action) {
            before = action;
            armed.set(true);
        }

        @Override
        public UnaryOperator<byte[]> connected() {
            return new Requests()::passed;
        }

        /** Of one connection; used by one thread. */
        private final class Requests {
            private ByteBuffer unread = ByteBuffer.allocate(0);
            private boolean opened;
            private boolean cut;

            byte[] passed(byte[] chunk) {
                ByteArrayOutputStream passed = new ByteArrayOutputStream();
                unread = ByteBuffer.allocate(unread.remaining() + chunk.length)
                        .put(unread)
                        .put(chunk)
                        .flip();
                while (unread.remaining() >= Integer.BYTES
                        && unread.remaining() >= Integer.BYTES + unread.getInt(unread.position())) {
                    byte[] request = new byte[Integer.BYTES + unread.getInt(unread.position())];
                    unread.get(request);
                    pass(request, passed);
                }
                return passed.toByteArray();
            }

            private void pass(byte[] request, ByteArrayOutputStream passed) {
                if (cut) {
                    passed.writeBytes(PING);
                    return;
                }
                // The first one opens the session, and has no kind.
                if (opened && ByteBuffer.wrap(request).getInt(KIND_AT) == MULTI && armed.getAndSet(false)) {
                    before.run();
                    cut = cutting;
                }
                opened = true;
                passed.writeBytes(request);
            }
        }
    }
}
