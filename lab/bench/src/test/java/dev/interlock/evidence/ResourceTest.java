package dev.interlock.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The resource takes tokens in their order only, and writes without a token always. */
class ResourceTest {

    @Test
    void anOlderTokenIsRefused_andTheSameOneOfAnotherHold() {
        try (Resource resource = new Resource(new History())) {
            assertThat(resource.take(write(1, 1, 5))).isTrue();
            assertThat(resource.take(write(2, 1, 6))).isTrue();
            assertThat(resource.take(write(2, 1, 6))).isTrue();
            assertThat(resource.take(write(1, 1, 5))).isFalse();
            assertThat(resource.take(write(3, 1, 6))).isFalse();
            assertThat(resource.take(write(3, 2, Rival.NO_TOKEN))).isTrue();
        }
    }

    private static Event write(int client, int hold, long token) {
        return new Event(0, client, hold, What.WROTE, token, "");
    }
}
