package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.contract.kind.KindsContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of the further kinds, for a database that cannot wake: there a hand-over costs the polls of the waiters.
 */
abstract class PollingKindsContract extends KindsContract {

    /** Replaces the count of requests: a waiter that is not the first polls less often. */
    @Test
    @Override
    public void P13_fair_handOver_costsAtMostTwoRequests() {
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                clients.add(new Client((JdbcStore) openStore()));
            }
            Claim held = clients.get(0).claim("line").inMode(Mode.fair());
            clients.get(0).granted(held);
            Duration last = Duration.ZERO;
            for (Client client : clients.subList(1, 8)) {
                Attempt busy =
                        client.acquire(client.claim("line").inMode(Mode.fair()).waiting(Duration.ZERO));
                last = ((Attempt.Busy) busy).retryAfter();
            }
            assertThat(last).isGreaterThan(Duration.ofMillis(2));
        } finally {
            clients.forEach(Client::close);
        }
    }
}
