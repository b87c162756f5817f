package dev.interlock.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a request's header comes to. */
class HttpFenceTest {

    private final HttpFence fence = new HttpFence(new FenceGate(1, Duration.ofHours(1)));

    @Test
    void tokensInOrder_pass_andLateOnesAreToldTheMaximum() {
        assertThat(fence.decide("7", "r").accepted()).isTrue();
        assertThat(fence.decide("7", "r").accepted()).isTrue();
        assertThat(fence.decide(" 9223372036854775807 ; owner=\"worker 7\"", "r")
                        .accepted())
                .isTrue();
        HttpFence.Decision late = fence.decide("8", "r");
        assertThat(late.accepted()).isFalse();
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.maximum()).isEqualTo(Long.MAX_VALUE);
        assertThat(late.message()).contains("8");
        assertThat(fence.decide("9223372036854775807", "r").status())
                .as("another owner")
                .isEqualTo(412);
    }

    @Test
    void whatIsNoToken_isRefused() {
        assertThat(fence.decide(null, "r").status()).isEqualTo(428);
        for (String value : List.of(
                "",
                "0",
                "-1",
                "07",
                "1.5",
                "x",
                "9223372036854775808",
                "1; owner=",
                "1; owner=\"\"\"",
                "1, 2",
                "1; owner=\"" + "o".repeat(129) + "\"")) {
            assertThat(fence.decide(value, "r").status()).as(value).isEqualTo(400);
        }
        assertThat(fence.decide("1", "r").accepted()).isTrue();
        assertThat(fence.decide("1", "another").status()).as("full").isEqualTo(503);
    }

    @Test
    void theHeader_isReadAsItWasWritten() {
        for (FenceHeader header : List.of(new FenceHeader(1, ""), new FenceHeader(1024, "host:12 thread-1"))) {
            assertThat(FenceHeader.parse(header.toString())).isEqualTo(header);
        }
        assertThatThrownBy(() -> new FenceHeader(1, "a\"b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a\"b");
        assertThatThrownBy(() -> new FenceHeader(0, "")).isInstanceOf(IllegalArgumentException.class);
    }
}
