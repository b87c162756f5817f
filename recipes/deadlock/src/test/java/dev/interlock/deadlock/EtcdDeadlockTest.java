package dev.interlock.deadlock;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.etcd.EtcdStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.EtcdServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Deadlocks between clients of one etcd. */
@Tag("wide")
class EtcdDeadlockTest extends DeadlockContract {

    private static @Nullable EtcdServer server;

    @BeforeAll
    static void startServer() {
        assumeThat(EtcdServer.isInstalled())
                .as("etcd is on the PATH, or its folder is named by -Detcd.bin")
                .isTrue();
        server = EtcdServer.start();
    }

    @AfterAll
    static void stopServer() {
        EtcdServer started = server;
        if (started != null) {
            started.close();
        }
    }

    @Override
    int shortRuns() {
        return 4;
    }

    @Override
    LockStore openStore() {
        EtcdServer started = server;
        if (started == null) {
            throw new IllegalStateException("etcd was not started");
        }
        return EtcdStore.at("etcd://" + started.host() + "?session=5m");
    }
}
