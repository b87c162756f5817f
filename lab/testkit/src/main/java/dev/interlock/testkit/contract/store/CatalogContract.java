package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of what is held; a store that cannot list is no {@link LockCatalog}, and overrides {@link #catalog}. */
interface CatalogContract extends StoreFixture {

    /** The catalog of this client. */
    default LockCatalog catalog(StoreClient client) {
        assertThat(client.store()).isInstanceOf(LockCatalog.class);
        return (LockCatalog) client.store();
    }

    @Test
    default void list_isOfHeldNames_inOrder() {
        StoreClient a = client();
        StoreClient b = client();
        String prefix = clients().unique("list-");
        for (String end : List.of("b", "B", "10", "a", "2", "ab")) {
            (end.equals("a") ? b : a).hold(LockId.lock(prefix + end));
        }

        assertThat(namesOf(list(b, prefix, 100)))
                .containsExactly(prefix + "10", prefix + "2", prefix + "B", prefix + "a", prefix + "ab", prefix + "b");
    }

    @Test
    default void list_tellsWhatInspectTells() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        b.await(lock, Duration.ofSeconds(1));

        LockStatus listed = list(b, lock.name(), 1).get(0);

        LockStatus.Holder holder = listed.holders().get(0);
        assertThat(holder.owner()).isEqualTo(held.owner().value());
        assertThat(holder.party()).isEqualTo(a.party());
        assertThat(holder.token()).isEqualTo(a.holder(lock).token());
        assertThat(holder.remainingLease()).isPositive();
    }

    @Test
    default void list_hasAtMostTheLimit_andTheFirstOfTheOrder() {
        StoreClient a = client();
        String prefix = clients().unique("limit-");
        for (int i = 9; i >= 1; i--) {
            a.hold(LockId.lock(prefix + i));
        }

        assertThat(namesOf(list(a, prefix, 3))).containsExactly(prefix + 1, prefix + 2, prefix + 3);
    }

    @Test
    default void list_withoutAPrefix_isOfAll() {
        StoreClient a = client();
        LockId one = clients().lock();
        LockId two = LockId.lock(clients().unique("zz"));
        a.hold(one);
        a.hold(two);

        assertThat(namesOf(list(a, "", 100_000)))
                .contains(one.name(), two.name())
                .isSorted();
    }

    @Test
    default void list_leavesOutWhatIsReleased_orOver_orOnlyWaited_orForced() {
        StoreClient a = client();
        StoreClient b = client();
        String prefix = clients().unique("gone-");
        LockId released = LockId.lock(prefix + "released");
        LockId over = LockId.lock(prefix + "over");
        LockId forced = LockId.lock(prefix + "forced");
        LockId waitedFor = LockId.lock(prefix + "waited");
        a.release(a.hold(released));
        b.release(a.hold(forced).byForce());
        Claim held = a.hold(waitedFor);
        b.await(waitedFor, Duration.ZERO);
        b.await(waitedFor, Duration.ofSeconds(1));
        a.release(held);
        a.hold(over, Duration.ofMillis(100));

        await().until(() -> list(b, prefix, 10).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%", "_", "*", "?", "[", "[a]", "]", "\\", "\\%", "'", "\"", "{", "}", "^", "\ud83d\udd12", "\n"
            })
    default void list_takesThePrefixAsItIs(String odd) {
        StoreClient a = client();
        String prefix = clients().unique("odd-");
        String decoy = prefix + "abc";
        String match = prefix + odd + "x";
        a.hold(LockId.lock(decoy));
        a.hold(LockId.lock(match));

        assertThat(namesOf(list(a, prefix + odd, 100))).containsExactly(match);
        assertThat(namesOf(list(a, prefix, 100))).containsExactlyInAnyOrder(decoy, match);
        assertThat(list(a, odd + prefix, 100)).isEmpty();
    }

    @Test
    default void list_tellsUpperFromLowerCase() {
        StoreClient a = client();
        String name = clients().unique("Case-");
        a.hold(LockId.lock(name));

        assertThat(list(a, name.toLowerCase(Locale.ROOT), 10)).isEmpty();
        assertThat(namesOf(list(a, name, 10))).containsExactly(name);
    }

    private List<LockStatus> list(StoreClient client, String prefix, int limit) {
        return StoreClient.repeated(() -> catalog(client).list(prefix, limit));
    }

    private static List<String> namesOf(List<LockStatus> statuses) {
        return statuses.stream().map(LockStatus::name).toList();
    }
}
