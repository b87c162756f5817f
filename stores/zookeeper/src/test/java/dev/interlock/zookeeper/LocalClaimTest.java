package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import dev.interlock.spi.Wake;
import dev.interlock.support.EventLoop;
import dev.interlock.support.SessionClaim.State;
import dev.interlock.support.SessionClaims;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.Paths;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ZooKeeperThread;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The states of a claim, the moves between them and the order of its steps, without a server. */
class LocalClaimTest {

    private static final OwnerId OWNER = OwnerId.of("client", 7);

    /** Nobody listens there: these tests send nothing. */
    private static ZooKeeper handle;

    private final EventLoop loop = new EventLoop("interlock-zookeeper", ZooKeeperThread.class::isInstance);
    private Session session;
    private FakeHost host;
    private FakeClaim claim;

    @BeforeAll
    static void createHandle() throws IOException {
        handle = new ZooKeeper("127.0.0.1:1", 60_000, event -> {});
    }

    @AfterAll
    static void closeHandle() throws InterruptedException {
        handle.close();
    }

    @BeforeEach
    void create() {
        session = new Session(handle, () -> true, loop, Settings.of("", ""), refusal -> {});
        host = new FakeHost();
        claim = new FakeClaim(host, Duration.ofMinutes(5));
    }

    @AfterEach
    void close() {
        loop.close();
    }

    // ---- moves

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "ENTERING, ENTERING, moves",
        "ENTERING, WAITING,  moves",
        "ENTERING, READY,    moves",
        "ENTERING, HELD,     moves",
        "ENTERING, LOST,     ends",
        "ENTERING, ENDED,    moves",
        "WAITING,  ENTERING, moves",
        "WAITING,  WAITING,  moves",
        "WAITING,  READY,    moves",
        "WAITING,  HELD,     moves",
        "WAITING,  LOST,     ends",
        "WAITING,  ENDED,    moves",
        "READY,    ENTERING, moves",
        "READY,    WAITING,  moves",
        "READY,    READY,    refused",
        "READY,    HELD,     moves",
        "READY,    LOST,     ends",
        "READY,    ENDED,    moves",
        "HELD,     ENTERING, moves",
        "HELD,     WAITING,  refused",
        "HELD,     READY,    refused",
        "HELD,     HELD,     refused",
        "HELD,     LOST,     moves",
        "HELD,     ENDED,    moves",
        "LOST,     ENTERING, moves",
        "LOST,     WAITING,  refused",
        "LOST,     READY,    refused",
        "LOST,     HELD,     refused",
        "LOST,     LOST,     moves",
        "LOST,     ENDED,    moves",
        "ENDED,    ENTERING, moves",
        "ENDED,    WAITING,  expired",
        "ENDED,    READY,    refused",
        "ENDED,    HELD,     expired",
        "ENDED,    LOST,     ends",
        "ENDED,    ENDED,    moves",
    })
    void move_isMadeIfItIsLegal_andRefusedIfNot(State from, State to, String outcome) {
        onLoop(() -> {
            claim.bringTo(from);
            switch (outcome) {
                case "moves" -> {
                    claim.move(to);
                    assertThat(claim.state()).isEqualTo(to);
                }
                case "ends" -> {
                    claim.move(to);
                    assertThat(claim.state()).isEqualTo(State.ENDED);
                }
                case "expired" -> {
                    assertThat(claim.attempt(to))
                            .failsWithin(Duration.ZERO)
                            .withThrowableOfType(Exception.class)
                            .withCauseInstanceOf(SessionExpiredException.class);
                    assertThat(claim.state()).isEqualTo(from);
                    assertThat(host.deletedLater()).contains(OWNER);
                }
                default -> {
                    assertThatThrownBy(() -> claim.move(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("from " + from + " to " + to)
                            .hasMessageContaining("node=/orders")
                            .hasMessageContaining("owner=" + OWNER.value())
                            .hasMessageContaining("reason=");
                    assertThat(claim.state()).isEqualTo(from);
                }
            }
        });
    }

    /** Everything that may be left of the claim is deleted, whatever its state; whoever relies on it is woken. */
    @ParameterizedTest
    @EnumSource(State.class)
    void sessionEnded_deletesTheNodes_andWakesWhoeverReliesOnThem(State state) {
        onLoop(() -> {
            claim.bringTo(state);
            host.woken.clear();

            claim.sessionEnded();

            assertThat(host.deletedLater()).contains(OWNER);
            assertThat(host.woken).hasSize(state.isStored() ? 1 : 0);
        });
    }

    @Test
    void change_outsideTheLoop_isAnError() {
        onLoop(() -> claim.bringTo(State.WAITING));

        assertThatThrownBy(() -> claim.ready()).isInstanceOf(AssertionError.class);
    }

    // ---- steps

    @Test
    void step_waitsForTheStepBefore_alsoIfThatFails() {
        List<String> begun = new ArrayList<>();
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        onLoop(() -> {
            var unused = claim.next(() -> first);
            var unusedToo = claim.next(() -> {
                begun.add("second");
                return CompletableFuture.completedFuture(true);
            });
            assertThat(begun).isEmpty();

            first.completeExceptionally(new IllegalStateException("fails"));

            assertThat(begun).containsExactly("second");
        });
    }

    /** The session ends while the answer that grants the claim is on its way. */
    @Test
    void grant_afterTheEndOfTheSession_isNone() {
        onLoop(() -> {
            claim.answer = new CompletableFuture<>();
            QueuedAnswer<Attempt> asked = new QueuedAnswer<>();
            claim.acquire(claim.claim(), asked);
            claim.sessionEnded();

            claim.answer.complete(true);

            assertThat(asked).isCompletedExceptionally();
            assertThat(claim.state()).isEqualTo(State.ENDED);
        });
    }

    @Test
    void release_waitsForTheGrantUnderWay_andDeletesTheNode() {
        onLoop(() -> {
            claim.answer = new CompletableFuture<>();
            claim.acquire(claim.claim(), new QueuedAnswer<>());
            CompletableFuture<Boolean> removalSent = claim.replaced();
            assertThat(removalSent).isNotDone();
            assertThat(claim.deletions).isZero();

            claim.answer.complete(true);

            assertThat(removalSent).isCompletedWithValue(true);
            assertThat(claim.deletions).isOne();
            assertThat(claim.state()).isEqualTo(State.ENDED);
        });
    }

    @Test
    void releaseTwice_deletesOnce() {
        onLoop(() -> {
            claim.bringTo(State.HELD);

            assertThat(claim.release()).isCompletedWithValue(true);
            assertThat(claim.release()).isCompletedWithValue(false);

            assertThat(claim.deletions).isOne();
        });
    }

    /** No answer comes any more, but requests may still arrive: others are not to wait for the end of the session. */
    @Test
    void release_withAnUnprovedSession_doesNotWaitForTheRenewal() {
        onLoop(() -> {
            CompletableFuture<Renewal> renewal = holdUnderRenewal(0);

            CompletableFuture<Boolean> released = claim.release();
            assertThat(claim.deletions).isOne();

            claim.answer.complete(true);

            assertThat(renewal).isCompletedWithValue(Renewal.HELD);
            assertThat(released).isDone();
            assertThat(claim.state()).isEqualTo(State.ENDED);
        });
    }

    @Test
    void release_withAProvedSession_waitsForTheRenewalUnderWay() {
        onLoop(() -> {
            CompletableFuture<Renewal> renewal = holdUnderRenewal(1);

            CompletableFuture<Boolean> released = claim.release();
            assertThat(claim.deletions).isZero();

            claim.answer.complete(true);

            assertThat(renewal).isCompletedWithValue(Renewal.HELD);
            assertThat(released).isCompletedWithValue(true);
            assertThat(claim.deletions).isOne();
        });
    }

    /** A held claim with a renewal that waits for its answer; then its session has this left. */
    private CompletableFuture<Renewal> holdUnderRenewal(long leftNanos) {
        AtomicLong left = new AtomicLong(1);
        claim.hold(left::get, 1).join();
        claim.answer = new CompletableFuture<>();
        CompletableFuture<Renewal> renewal = claim.renew(claim.claim());
        left.set(leftNanos);
        return renewal;
    }

    @Test
    void claimWhoseTimeIsOver_isEnded() {
        onLoop(() -> {
            claim = new FakeClaim(host, Duration.ofNanos(1));
            claim.bringTo(State.HELD);

            claim.endIfOver();

            assertThat(claim.state()).isEqualTo(State.ENDED);
            assertThat(claim.deletions).isOne();
        });
    }

    @Test
    void expiredClaim_grantedAnewByTheStepBefore_staysHeld() {
        onLoop(() -> {
            FakeClaim brief = new FakeClaim(host, Duration.ofNanos(1));
            brief.bringTo(State.HELD);
            CompletableFuture<Boolean> under = new CompletableFuture<>();
            var unused = brief.next(() -> under.thenApply(done -> {
                brief.relet(Duration.ofMinutes(5));
                return brief.keepHeld(1);
            }));

            brief.endIfOver();
            under.complete(true);

            assertThat(brief.isHeld()).isTrue();
            assertThat(brief.deletions).isZero();
        });
    }

    @Test
    void renewal_ofAClaimWhoseNodeHasGone_endsIt() {
        onLoop(() -> {
            claim.bringTo(State.HELD);
            claim.exists = false;

            assertThat(claim.renew(claim.claim())).isCompletedWithValue(Renewal.DELETED);

            assertThat(claim.state()).isEqualTo(State.ENDED);
        });
    }

    @Test
    void renewal_afterTheEndOfTheSession_namesIt() {
        onLoop(() -> {
            claim.bringTo(State.LOST);

            assertThat(claim.renew(claim.claim())).isCompletedWithValue(Renewal.SESSION_LOST);
        });
    }

    /** The answer is that of a server that does not know yet. */
    @Test
    void renewalUnderWay_atTheEndOfTheSession_namesIt() {
        onLoop(() -> {
            CompletableFuture<Renewal> renewal = holdUnderRenewal(1);
            claim.sessionEnded();

            claim.answer.complete(true);

            assertThat(renewal).isCompletedWithValue(Renewal.SESSION_LOST);
            assertThat(claim.state()).isEqualTo(State.LOST);
        });
    }

    // ---- fixtures

    private void onLoop(Runnable test) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        assertThat(loop.run(() -> {
                    try {
                        test.run();
                        done.complete(true);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                }))
                .isTrue();
        try {
            done.get(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
    }

    /** A claim of which the test says what its nodes do. */
    private final class FakeClaim extends LocalClaim {

        @Override
        List<String> nodes() {
            return List.of();
        }

        CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);
        boolean exists = true;
        int deletions;

        FakeClaim(Host host, Duration lease) {
            super(
                    host,
                    Claim.of(
                            LockId.lock("orders"),
                            Mode.exclusive(),
                            OWNER,
                            lease,
                            new Party("host", 1, "app", "main")));
            session = LocalClaimTest.this.session;
        }

        /** Brings a new claim into this state. */
        void bringTo(State state) {
            if (state == State.LOST) {
                move(State.HELD);
            }
            move(state);
        }

        void relet(Duration lease) {
            claim = claim.withLease(lease);
        }

        void move(State to) {
            switch (to) {
                case ENTERING -> enter(LocalClaimTest.this.session);
                case WAITING, HELD -> attempt(to).join();
                case READY -> ready();
                case LOST -> sessionEnded();
                case ENDED -> end("the test ends it");
            }
        }

        CompletableFuture<Attempt> attempt(State to) {
            return to == State.HELD ? hold(Tether.NONE, 1) : waitInQueue();
        }

        @Override
        CompletableFuture<Attempt> acquire(Session now, QueuedAnswer<Attempt> asked) {
            enter(now);
            return answer.thenCompose(done -> hold(Tether.NONE, 1));
        }

        @Override
        CompletableFuture<Boolean> exists(Session now) {
            return answer.thenApply(answered -> exists);
        }

        @Override
        CompletableFuture<Boolean> rewrite(Session now) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        CompletableFuture<Boolean> delete(Session now) {
            deletions++;
            return CompletableFuture.completedFuture(true);
        }

        @Override
        boolean uses(String nodePath) {
            return true;
        }

        @Override
        void reconnected() {}

        @Override
        public void nodeChanged(EventType type, String nodePath) {}
    }

    private final class FakeHost implements LocalClaim.Host {
        final Queue<Wake> woken = new ConcurrentLinkedQueue<>();
        private final Paths paths = new Paths("");
        private final Watches watches = new Watches(loop);
        private final SessionClaims<LocalClaim> books = new SessionClaims<>(loop, LocalClaim::endIfOver);
        private final List<OwnerId> pending = new ArrayList<>();
        private final NodeRemoval removal = new NodeRemoval(loop, paths, () -> session, new NodeRemoval.InUse() {
            @Override
            public boolean isEntering(OwnerId owner) {
                pending.add(owner);
                return true;
            }

            @Override
            public boolean uses(OwnerId owner, String nodePath) {
                return true;
            }
        });

        FakeHost() {
            books.listener(woken::add);
        }

        /** The owners whose nodes are to be deleted later. */
        List<OwnerId> deletedLater() {
            removal.removePending();
            return pending;
        }

        @Override
        public NodeName.Role lockRole() {
            return NodeName.Role.LOCK;
        }

        @Override
        public SessionClaims<LocalClaim> books() {
            return books;
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public Paths paths() {
            return paths;
        }

        @Override
        public Watches watches() {
            return watches;
        }

        @Override
        public NodeRemoval removal() {
            return removal;
        }

        @Override
        public CompletableFuture<Session> session() {
            return CompletableFuture.completedFuture(session);
        }

        @Override
        public void watch(LocalClaim watched) {}

        @Override
        public CompletableFuture<Boolean> replace(OwnerId owner) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletableFuture<Renewal> whyAbsent(Claim absent) {
            return CompletableFuture.completedFuture(Renewal.DELETED);
        }
    }
}
