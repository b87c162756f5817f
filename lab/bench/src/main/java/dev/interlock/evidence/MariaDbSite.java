package dev.interlock.evidence;

import dev.interlock.testkit.server.MariaDbServer;
import java.util.List;

/** A MariaDB. */
final class MariaDbSite extends Site {

    private final MariaDbServer server = MariaDbServer.start();
    private final String database = server.createDatabase();

    MariaDbSite() {
        proxyTo(server.port());
    }

    @Override
    String uri(int place) {
        return server.urlAt(proxies().get(place).port(), database);
    }

    @Override
    List<String> leftovers() throws Exception {
        return Rows.of(
                server.url(database) + "&sessionVariables=sql_mode=ANSI_QUOTES",
                "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()");
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
    void kill() {
        server.kill();
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
