package dev.interlock.evidence;

import dev.interlock.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.List;

/** A PostgreSQL, with the tables that other libraries want. */
final class PostgresSite extends Site {

    private static final String SECONDS = "SELECT extract(epoch FROM clock_timestamp())::bigint";

    private final PostgresServer server;

    PostgresSite(Setup setup) {
        server = setup == Setup.SETTABLE_CLOCK ? PostgresServer.startWithSettableClock() : PostgresServer.start();
        server.execute(SpringJdbcRival.TABLE);
        server.execute(ShedLockRival.TABLE);
        server.execute(BrokenSqlRival.TABLE);
        if (setup == Setup.DEADLOCKS) {
            Deadlocks.prepare(server);
        }
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
    void kill() {
        server.kill();
    }

    @Override
    void restart() {
        server.restart();
    }

    /** First the process that starts the others. Without its log of writes PostgreSQL ends. */
    @Override
    void fillDisk(List<Long> clients) {
        DiskLimit.refuse(server.pid());
        ProcessHandle.of(server.pid())
                .ifPresent(process -> process.descendants().forEach(child -> DiskLimit.refuse(child.pid())));
    }

    /** It is started as an operator does who has made room. */
    @Override
    boolean emptyDisk(List<Long> clients) {
        boolean hit = ProcessHandle.of(server.pid()).isEmpty();
        server.restart();
        return hit;
    }

    @Override
    void clock(Duration ahead) {
        setClock(server::clock, () -> PostgresServer.number(server.url(), SECONDS), ahead);
    }

    @Override
    boolean deadlock(Duration time) throws Exception {
        return Deadlocks.strike(server, time);
    }

    @Override
    public void close() {
        closeProxies();
        server.close();
    }
}
