package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.fence.FenceVerdict;
import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.Signals;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row with the largest token refuses late writers (I1). */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FencedUpdateTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);
    private static final FencedUpdate UPDATE = LateWriter.UPDATE;

    private final Path directory = TestFiles.directory();
    private final Path locks = directory.resolve("locks.db");
    private final Path data = directory.resolve("data.db");
    private Connection connection;

    @BeforeEach
    void create() throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + data);
        sql("create table orders (id bigint, status varchar(20), fence bigint not null default 0)");
        sql("insert into orders (id, status) values (1, 'new'), (2, 'new'), (2, 'twice')");
    }

    @AfterEach
    void delete() throws SQLException {
        connection.close();
        TestFiles.delete(directory);
    }

    private void sql(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(text);
        }
    }

    private String status() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select status from orders where id = 1")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    /** The verdict on the late writer, and the token of the one that was in time. */
    private record LateWrite(String verdict, long maximum) {}

    private LateWrite lateWrite(String how) throws Exception {
        try (Interlock client = Interlock.connect("sqlite:" + locks);
                ChildJvm child = ChildJvm.start(LateWriter.class, locks.toString(), "order:1", data.toString(), how)) {
            long first = Long.parseLong(child.await("held", AMPLE));
            child.stop();
            child.send("write");
            long token;
            try (Lease lease = client.lock("order:1").acquire()) {
                assertThat(Signals.state(child.pid())).isEqualTo(Signals.STOPPED);
                token = lease.token();
                assertThat(token).isGreaterThan(first);
                assertThat(UPDATE.execute(connection, 1, token, "in time")).isEqualTo(FenceVerdict.accept(token));
            }
            child.resume();
            return new LateWrite(child.await("wrote", AMPLE), token);
        }
    }

    @Test
    void I1_lateWriter_isRefused() throws Exception {
        LateWrite late = lateWrite("fenced");
        assertThat(late.verdict()).isEqualTo(FenceVerdict.refuse(late.maximum()).toString());
        assertThat(status()).isEqualTo("in time");
    }

    /** The control: without the condition the late update succeeds. */
    @Test
    void I1_lateWriterWithoutAGuard_wins() throws Exception {
        assertThat(lateWrite("plain").verdict()).isEqualTo("1");
        assertThat(status()).isEqualTo("late");
    }

    @Test
    void tokensInOrder_areAccepted_asOftenAsTheyCome() throws Exception {
        assertThat(UPDATE.execute(connection, 1, 5, "a")).isEqualTo(FenceVerdict.accept(5));
        assertThat(UPDATE.execute(connection, 1, 5, "b")).isEqualTo(FenceVerdict.accept(5));
        assertThat(UPDATE.execute(connection, 1, Long.MAX_VALUE, "c").accepted())
                .isTrue();
        assertThat(UPDATE.execute(connection, 1, Long.MAX_VALUE - 1, "d"))
                .isEqualTo(FenceVerdict.refuse(Long.MAX_VALUE));
        assertThat(status()).isEqualTo("c");
    }

    @Test
    void sql_isTheStatement() {
        assertThat(FencedUpdate.of("s.orders", "id", "fence", "status", "total").sql())
                .isEqualTo(
                        "update s.orders set status = ?, total = ?, fence = ? where id = ? and fence between 0 and ?");
    }

    @Test
    void wrongInput_isNamed() {
        assertThatThrownBy(() -> FencedUpdate.of("orders; drop", "id", "fence", "status"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'orders; drop'");
        assertThatThrownBy(() -> FencedUpdate.of("orders", "id", "fence")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UPDATE.execute(connection, 1, 0, "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UPDATE.execute(connection, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UPDATE.execute(connection, 3, 1, "a"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("key=3");
        assertThatThrownBy(() -> UPDATE.execute(connection, 2, 1, "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2");
    }
}
