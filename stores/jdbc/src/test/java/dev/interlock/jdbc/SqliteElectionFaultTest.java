package dev.interlock.jdbc;

import dev.interlock.testkit.contract.kind.ElectionFaultContract;
import dev.interlock.testkit.server.FaultProxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Candidates on a file of SQLite. */
@Tag("some")
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqliteElectionFaultTest implements ElectionFaultContract {

    @TempDir
    private Path directory = Path.of(".");

    @Override
    public @Nullable FaultProxy proxy() {
        return null;
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return "jdbc:sqlite:" + directory.resolve("locks.db");
    }
}
