package dev.interlock.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One strike on a real server: it strikes, and the checker convicts a lock with a mistake and no other. */
@Tag("long")
class TrialTest {

    @Test
    void aHolderThatIsStoppedForTooLong_writesLateWithoutAnOwner() throws Exception {
        // It stays in its hold for 0.3 s only. On a busy machine it may have let go before it is stopped.
        Findings findings = Patience.inTime(() -> {
            Findings found = run(Subject.CONTROL_UNOWNED);
            return found.overlaps() > 0 ? Optional.of(found) : Optional.empty();
        });

        assertThat(findings.strikes()).isEqualTo(1);
        assertThat(findings.overlaps()).isPositive();
        assertThat(findings.isConvicted()).isTrue();
    }

    @Test
    void aHolderThatIsStoppedForTooLong_isToldByOurs() throws Exception {
        Findings findings = run(Subject.INTERLOCK_REDIS);

        assertThat(findings.strikes()).isEqualTo(1);
        assertThat(findings.overlaps()).isEqualTo(findings.fenced());
        assertThat(findings.neverTold()).isZero();
    }

    /** What the faults of servers need besides one server; a fault that does not strike shows nothing. */
    @ParameterizedTest
    @CsvSource({
        "SENTINEL,     INTERLOCK_REDIS",
        "STALE_MASTER, INTERLOCK_REDIS",
        "CLUSTER,      INTERLOCK_REDIS",
        "RESHARD,      INTERLOCK_REDIS",
        "DISK,         INTERLOCK_REDIS",
        "DISK,         INTERLOCK_POSTGRESQL",
        "DISK,         INTERLOCK_SQLITE",
        "CLOCK_SERVER, INTERLOCK_ZOOKEEPER",
        "DEADLOCK,     INTERLOCK_POSTGRESQL",
        "SLOW,         INTERLOCK_REDIS",
        "SENTINEL,     REDISSON",
        "RESHARD,      REDISSON",
        "SENTINEL,     SPRING_REDIS",
        "RESHARD,      SPRING_REDIS_RENEWING",
    })
    void aFaultOfServers_strikes(Fault fault, Subject subject) throws Exception {
        Findings findings = run(subject, fault);

        assertThat(findings.strikes()).isEqualTo(1);
    }

    private static Findings run(Subject subject) throws Exception {
        return run(subject, Fault.STOP);
    }

    private static Findings run(Subject subject, Fault fault) throws Exception {
        Path folder = folder();
        Findings findings = Trial.run(subject, fault, 1, Duration.ofMinutes(1), folder);
        assertThat(folder.resolve(subject.id() + "-" + fault.id() + ".history")).isNotEmptyFile();
        return findings;
    }

    private static Path folder() throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "histories"));
    }
}
