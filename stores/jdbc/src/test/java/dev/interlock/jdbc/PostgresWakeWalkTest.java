package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.WakeWalkContract;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.PostgresServer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims that wait on PostgreSQL keep the contract of wakes. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresWakeWalkTest implements WakeWalkContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    public int serverPort() {
        return PostgresServer.shared().port();
    }

    @Override
    public LockStore openAt(int port) {
        String database = URL.substring(URL.lastIndexOf('/'));
        return JdbcStore.at(ServerUri.parse("jdbc:postgresql://127.0.0.1:" + port + database));
    }

    /** A claim that asks begins another listener. */
    @Override
    public boolean watchesAgain() {
        return false;
    }

    /** It listens to what is for its client, and may have looked up what it has missed. */
    @Override
    public boolean isHeard(FaultProxy proxy) {
        String ports = proxy.serverSidePorts().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return !ports.isEmpty()
                && PostgresServer.number(
                                URL,
                                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle' AND client_port IN ("
                                        + ports + ") AND (query LIKE '%WHERE channel = %'"
                                        + " OR query LIKE 'LISTEN %' AND query <> 'LISTEN interlock_forced')")
                        > 0;
    }

    /** After a failure the next listener begins in five seconds. */
    @Tag("wide")
    @Test
    @Override
    public void P11_connectionCutBeforeAnyRequest_theReleaseWakes() {
        WakeWalkContract.super.P11_connectionCutBeforeAnyRequest_theReleaseWakes();
    }

    @Tag("wide")
    @Test
    @Override
    public void P11_releaseBetweenTwoRequests_isNotMissed() {
        WakeWalkContract.super.P11_releaseBetweenTwoRequests_isNotMissed();
    }

    @Tag("wide")
    @Test
    void P11_connectionCutAgainBeforeAnyRequest_theReleaseWakes() {
        requestsLostAfterACut();
    }
}
