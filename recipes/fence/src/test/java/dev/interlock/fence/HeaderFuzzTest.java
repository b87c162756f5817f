package dev.interlock.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.fuzz.Fuzz;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The header of a request, which any client may send. */
class HeaderFuzzTest {

    @Test
    void header() {
        HttpFence fence = new HttpFence(new FenceGate(1_000, Duration.ofMinutes(1)));
        Fuzz.of("fence header", "1760967352000000; owner=\"worker-7\"", "17", " 9 ;owner=\"a b\"")
                .words("owner=", "\"", ";", " ")
                .run(input -> {
                    HttpFence.Decision decision = fence.decide(input, input);
                    FenceHeader header = FenceHeader.parse(input);
                    assertThat(decision.accepted()).isEqualTo(decision.status() == 200);
                    if (header == null) {
                        assertThat(decision.status()).isEqualTo(400);
                        return false;
                    }
                    assertThat(FenceHeader.parse(header.toString())).isEqualTo(header);
                    return true;
                });
    }
}
