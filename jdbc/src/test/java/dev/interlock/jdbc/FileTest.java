package dev.interlock.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A test with a lock file of its own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class FileTest {

    final Path directory = TestFiles.directory();
    final Path file = directory.resolve("locks.db");
    final Rows rows = new Rows(file);

    @AfterEach
    final void removeFiles() {
        TestFiles.delete(directory);
    }
}
