package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.ZooKeeperEnsemble;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperServer.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three servers under clients that lock all the time: one server after the other is killed, stopped or cut off, or
 * sessions are ended. I1 to I3 hold, and all clients go on.
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class EnsembleFaultTest {

    /** A client soon gives a silent server up. */
    private static final String SHORT = "4s";

    /** No session ends by itself. */
    private static final String LONG = "5m";

    private static final int CLIENTS = 3;
    private static final int TURNS = 5;
    private static final int ROUNDS = Effort.pick(1, 20);

    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void startServers() {
        ensemble = ZooKeeperEnsemble.startDivisible();
    }

    @AfterAll
    static void stopServers() {
        ensemble.close();
    }

    @Tag(Effort.SCALED)
    @Test
    void P07_whenTheLeaderIsKilled_anotherGoesOnWithTheSameLocks() {
        try (EnsembleLoad load = load("killed", SHORT)) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitTurns(TURNS);
                ZooKeeperServer leader = ensemble.awaitLeader();

                leader.kill();
                ensemble.awaitLeaderOtherThan(leader);
                load.awaitTurns(TURNS);
                assertThat(leader.state()).isEqualTo(Signals.GONE);

                leader.launchAgain();
                ensemble.awaitWhole();
            }
            load.awaitTurns(TURNS);
            load.check();
        }
    }

    @Tag(Effort.SCALED)
    @Test
    void P07_whenTheLeaderStandsStill_itComesBackAsOneThatFollows() {
        try (EnsembleLoad load = load("stopped", SHORT)) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitTurns(TURNS);
                ZooKeeperServer leader = ensemble.awaitLeader();

                leader.stop();
                assertThat(leader.state()).isEqualTo(Signals.STOPPED);
                ensemble.awaitLeaderOtherThan(leader);
                load.awaitTurns(TURNS);
                leader.cont();

                await().until(() -> leader.role() == Role.FOLLOWER);
            }
            load.awaitTurns(TURNS);
            load.check();
        }
    }

    @Tag(Effort.SCALED)
    @Test
    void P07_whenTheLeaderIsCutOffFromTheOthers_itGrantsNothing() {
        try (EnsembleLoad load = load("cut", SHORT)) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitTurns(TURNS);
                ZooKeeperServer leader = ensemble.awaitLeader();
                long heldBefore = ensemble.heldBytes();

                ensemble.isolate(leader);
                ensemble.awaitLeaderOtherThan(leader);
                await().until(() -> leader.role() == Role.NONE);
                load.awaitTurns(TURNS);
                assertThat(ensemble.heldBytes()).isGreaterThan(heldBefore);

                ensemble.heal();
                ensemble.awaitWhole();
            }
            load.awaitTurns(TURNS);
            load.check();
        }
    }

    @Tag(Effort.SCALED)
    @Test
    void P21_sessionsThatEndEarly_allGoOn_lateWritesAreRefused() {
        try (EnsembleLoad load = load("expired", LONG)) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitTurns(TURNS);
                Set<Long> sessions = ensemble.awaitLeader().sessions();
                assertThat(sessions).hasSizeGreaterThanOrEqualTo(CLIENTS);

                sessions.forEach(ensemble::expire);

                load.awaitTurns(TURNS);
                assertThat(ensemble.awaitLeader().sessions()).doesNotContainAnyElementsOf(sessions);
            }
            load.checkFences();
        }
    }

    /** The negative control of the tests before: locks that exclude nobody, under the same load, are found out. */
    @Test
    void locksThatExcludeNobodyAreFoundOut() {
        List<Interlock> strangers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            strangers.add(Interlock.inMemory());
        }
        try (EnsembleLoad load = new EnsembleLoad("strangers", strangers)) {
            load.awaitTurns(50 * TURNS);
            assertThatThrownBy(load::check).isInstanceOf(AssertionError.class);
        }
    }

    private static EnsembleLoad load(String name, String session) {
        List<Interlock> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Interlock.connect(ensemble.uri() + "?session=" + session));
        }
        return new EnsembleLoad(name, clients);
    }
}
