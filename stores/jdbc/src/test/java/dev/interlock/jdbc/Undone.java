package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.time.Duration;

/** Operations on a server that rolls them back again and again. */
final class Undone {

    private static final int ROUNDS = 30;

    private Undone() {}

    /**
     * Two clients hold a lock in turn, and every answer is as on a calm server; {@code begin} makes the server roll
     * back what is written from then on.
     */
    static void walk(String url, Runnable begin) {
        try (Client a = new Client(url);
                Client b = new Client(url)) {
            // The tables exist afterwards.
            a.release(a.hold("first"));
            begin.run();
            long last = 0;
            for (int i = 0; i < ROUNDS; i++) {
                Claim held = a.claim("x");
                long fence = a.granted(held);
                assertThat(fence).isGreaterThan(last);
                Claim waiting = b.await("x", Duration.ofSeconds(1));
                assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(a.release(held)).isTrue();
                last = b.granted(waiting);
                assertThat(last).isGreaterThan(fence);
                assertThat(b.release(waiting)).isTrue();
            }
        }
    }
}
