package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.LeastRights;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.store.EveryVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P28: the rights that docs/sql.md names are enough for every verb. Each of them is needed: the server refuses
 * something without it, by its own account, and the user is told what to grant.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class LeastRightsTest {

    /** How many names are used once. */
    private static final int OLD = 50;

    /** How many names may be in use besides. */
    private static final int FEW = 9;

    @Test
    void postgresql() {
        check(LeastRights.onPostgres());
    }

    /** Or MySQL. */
    @Tag("server")
    @Test
    void mariadb() {
        check(LeastRights.onMariaDb());
    }

    /** P27: what is refused for want of a right is refused again: a close does not wait for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P27_closingAClientWithoutARight_waitsForNothing(boolean onMariaDb) throws Exception {
        LeastRights least = onMariaDb ? LeastRights.onMariaDb() : LeastRights.onPostgres();
        try (Client client = new Client(least.url())) {
            client.release(client.hold("n"));
        }
        LeastRights.ALL.forEach(least::revoke);
        Interlock client = Interlock.builder(least.url())
                .storeTimeout(Duration.ofSeconds(3))
                .closeTimeout(Duration.ofHours(1))
                .build();
        assertThatThrownBy(() -> client.lock("n").acquire(LeaseTerm.renewing(Duration.ofMinutes(30))))
                .isInstanceOf(StoreUnavailableException.class);
        CompletableFuture.runAsync(client::close).get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private static void check(LeastRights least) {
        assertThat(said(least)).as("refused with all rights").isEmpty();
        for (LeastRights.Right right : LeastRights.ALL) {
            least.revoke(right);
            long before = least.refusals();

            List<String> said = said(least);

            assertThat(said).as("without %s", right).isNotEmpty().allSatisfy(message -> assertThat(message)
                    .contains("grant SELECT, INSERT, UPDATE and DELETE on interlock_lock and interlock_claim,"
                            + " and SELECT and UPDATE on interlock_fence")
                    .contains(right.table()));
            assertThat(least.refusals())
                    .as("the server's own, without %s", right)
                    .isGreaterThan(before);
            least.grant(right);
        }
        assertThat(said(least)).as("refused with all rights again").isEmpty();
    }

    /** What the user is told of missing rights: by every verb of every kind, and by the removal of old rows. */
    private static List<String> said(LeastRights least) {
        least.execute("DELETE FROM interlock_lock");
        least.execute("DELETE FROM interlock_claim");
        try (LogWatch log = new LogWatch();
                Client client = new Client(least.url());
                Client other = new Client(least.url())) {
            Map<String, Throwable> failures = EveryVerb.failures(client, other, "least");
            assertThat(failures.values()).hasOnlyElementsOfType(StoreUnavailableException.class);
            List<String> said = new ArrayList<>(
                    failures.values().stream().map(Throwable::getMessage).toList());
            if (said.isEmpty()) {
                removeOldRows(least, client, log);
                said.addAll(log.problems());
            }
            return said;
        }
    }

    /** Some old rows are removed after each verb. That it fails for want of a right fails no verb, and is logged. */
    private static void removeOldRows(LeastRights least, Client client, LogWatch log) {
        for (int i = 0; i < OLD; i++) {
            client.release(client.hold("old-" + i));
        }
        least.execute("UPDATE interlock_lock SET fence = 1");
        for (int round = 0; log.problems().isEmpty() && names(least) > FEW; round++) {
            assertThat(round).as("rounds of 70 operations").isLessThan(20);
            for (int i = 0; i < 70; i++) {
                client.release(client.hold("alive"));
            }
        }
    }

    private static long names(LeastRights least) {
        return least.number("SELECT count(*) FROM interlock_lock");
    }
}
