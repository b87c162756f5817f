package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A circle over three processes. */
@Tag("wide")
class ProcessesTest {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void threeProcesses_theLastOneIsToldOfAllThree_andTheOthersGoOn() {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                children.add(ChildJvm.start(DeadlockProcess.class, server.uri(), "three-" + i));
            }
            children.forEach(child -> child.await("holds", Patience.limit()));
            for (int i = 0; i < 2; i++) {
                children.get(i).send("three-" + (i + 1));
                children.get(i).await("waits", Patience.limit());
            }

            children.get(2).send("three-0");

            assertThat(children.get(2).await("deadlock of", Patience.limit())).isEqualTo("3");
            children.get(2).await("told To wait for lock 'three-0' would last for ever", Patience.limit());
            for (int member : List.of(2, 0, 1)) {
                assertThat(children.get(2).await("told", Patience.limit()))
                        .contains("process " + children.get(member).pid() + " (deadlock-test), thread 'main'")
                        .endsWith("waits for lock 'three-" + (member + 1) % 3 + "', holds 'three-" + member + "'");
            }
            children.get(1).await("got it", Patience.limit());
            children.get(0).await("got it", Patience.limit());
            children.forEach(
                    child -> assertThat(child.awaitExit(Patience.limit())).isZero());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
