package com.example.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.interlock.Interlock;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** The job alone: its schedule is off in tests. */
@QuarkusTest
class ReportJobTest {

    @Inject
    Interlock interlock;

    @Inject
    ReportJob job;

    @ConfigProperty(name = "reports.file")
    Path file;

    @Test
    void report_isSkipped_whileAnotherInstanceHasTheLock() throws Exception {
        Files.deleteIfExists(file);
        try (var held = interlock.lock("report").acquire()) {
            assertEquals(1, interlock.administration().inspect("report").size());
            job.report();
            assertFalse(Files.exists(file));
        }
        job.report();
        assertEquals(List.of("begin A", "end A"), lines());
        // Left to lapse: an instance that is a moment late does not write it again.
        job.report();
        assertEquals(2, lines().size());
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file);
    }
}
