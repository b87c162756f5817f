package dev.interlock.evidence;

import dev.interlock.testkit.server.PostgresServer;
import java.util.List;

/** A PostgreSQL, with the tables that other libraries want. */
final class PostgresSite extends Site {

    private final PostgresServer server = PostgresServer.start();

    PostgresSite(Fault fault) {
        server.execute(SpringJdbcRival.TABLE);
        server.execute(ShedLockRival.TABLE);
        proxyTo(server.port());
    }

    @Override
    String uri(int place) {
        return server.urlAt(proxies().get(place).port());
    }

    @Override
    List<String> leftovers() throws Exception {
        return Rows.of(server.url(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    }

    @Override
    void freeze() {
        server.stop();
    }

    @Override
    void thaw() {
        server.cont();
    }

    @Override
    void restart() {
        server.restart();
    }

    @Override
    public void close() {
        closeProxies();
        server.close();
    }
}
