package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The negative control of every measurement: an overlap (I2) is seen, from the same or from another process' mapping of
 * the file.
 */
class GuardTest {

    private final Path file = Scratch.file("guard-test");
    private final Guard guard = Guard.map(file, 2);

    @AfterEach
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    @Test
    void turnsAreCounted() {
        for (int i = 0; i < 3; i++) {
            guard.enter(1, 7, 1);
            guard.leave(1, 7);
        }
        assertThat(guard.count()).isEqualTo(3);
        assertThat(guard.overlaps()).isZero();
    }

    @Test
    void aHandOverToAnotherWorkerIsSeen() {
        assertThat(guard.enter(0, 7, 1)).isTrue();
        guard.leave(0, 7);
        assertThat(guard.enter(0, 8, 1)).isFalse();
        guard.leave(0, 8);
        assertThat(guard.enter(0, 9, 2)).isTrue();
    }

    @Test
    void twoInsideAtOnceAreSeen() {
        Guard other = Guard.map(file, 2);
        guard.enter(0, 7, 1);
        other.enter(0, 8, 2);
        other.leave(0, 8);
        guard.leave(0, 7);
        assertThat(guard.overlaps()).isEqualTo(2);
    }

    @Test
    void namesDoNotMeet() {
        guard.enter(0, 7, 1);
        guard.enter(1, 8, 2);
        guard.leave(1, 8);
        guard.leave(0, 7);
        assertThat(guard.overlaps()).isZero();
    }
}
