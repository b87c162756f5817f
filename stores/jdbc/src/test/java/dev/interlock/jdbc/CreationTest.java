package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.dialect.SchemaScript;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.testkit.Effort;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables are created: while others create them, too, or after a client has died halfway. */
@Tag("some")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CreationTest {

    private static final int CLIENTS = 6;

    private final Path directory = TestFiles.directory();

    @AfterEach
    void removeFiles() {
        TestFiles.delete(directory);
    }

    @ParameterizedTest
    @EnumSource
    void deathBetweenTwoTables_leavesTheRestToTheNext(TestDatabase database) throws SQLException {
        TestPool pool = new TestPool(database.newUrl(directory));
        for (int made = 1; made < statements(database).size() - 1; made++) {
            assertMadeAfter(database, pool, made);
        }
        pool.close();
    }

    /** I3: without this row the fences of deleted names would be forgotten. */
    @ParameterizedTest
    @EnumSource
    void deathBeforeTheRowOfTheFences_leavesItToTheNext(TestDatabase database) throws SQLException {
        TestPool pool = new TestPool(database.newUrl(directory));
        assertMadeAfter(database, pool, statements(database).size() - 1);
        pool.close();
    }

    /** A client that finds so many statements done completes the tables. */
    private static void assertMadeAfter(TestDatabase database, TestPool pool, int made) throws SQLException {
        String prefix = "made_" + made;
        for (String sql : statements(database).subList(0, made)) {
            execute(pool, sql.replace("{p}", prefix));
        }
        try (Client client = new Client(JdbcStore.over(pool.source(), prefix))) {
            assertThat(client.isGranted(client.claim("x"))).isTrue();
        }
        assertThat(number(pool, "SELECT count(*) FROM " + prefix + "_fence WHERE version = 2"))
                .isEqualTo(1);
    }

    @Tag(Effort.SCALED)
    @ParameterizedTest
    @EnumSource
    void manyClientsAtOnce_createOneSetOfTables(TestDatabase database) throws Exception {
        // Connected before, so that they begin at the same time.
        TestPool pool = new TestPool(database.newUrl(directory)).filled();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            for (int round = 0; round < Effort.pick(5, 100); round++) {
                String prefix = "round_" + round;
                CyclicBarrier start = new CyclicBarrier(CLIENTS);
                List<Future<Boolean>> granted = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String name = "own-" + i;
                    granted.add(threads.submit(() -> {
                        try (Client client = new Client(JdbcStore.over(pool.source(), prefix))) {
                            start.await(5, TimeUnit.MINUTES);
                            return client.isGranted(client.claim(name));
                        }
                    }));
                }
                for (Future<Boolean> each : granted) {
                    assertThat(each.get(5, TimeUnit.MINUTES)).isTrue();
                }
                assertThat(number(pool, "SELECT count(*) FROM " + prefix + "_fence"))
                        .isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
            pool.close();
        }
    }

    private static List<String> statements(TestDatabase database) {
        return new SchemaScript(database.name().toLowerCase(Locale.ROOT)).statements();
    }

    private static void execute(TestPool pool, String sql) throws SQLException {
        try (Connection connection = pool.take();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(TestPool pool, String sql) throws SQLException {
        try (Connection connection = pool.take();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
