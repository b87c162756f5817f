package dev.interlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.quorum.QuorumStore;
import dev.interlock.redis.RedisStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.KnownStore;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/choose-a-store.md says that a store can do is what the store says. No store is asked: that is no I/O. */
class StoreTableTest {

    private static final Path ROOT = Path.of(System.getProperty("interlock.target", "target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    private static final String QUORUM = "quorum";

    /** What the page calls them. */
    private static final Map<String, Supplier<Interlock>> STORES = Map.of(
            "memory",
            Interlock::inMemory,
            "Redis",
            () -> Interlock.connect("redis://localhost"),
            "SQL",
            () -> Interlock.connect("jdbc:sqlite:never-opened.db"),
            "ZooKeeper",
            () -> Interlock.connect("zk://localhost/locks"),
            "etcd",
            () -> Interlock.connect("etcd://localhost/locks"),
            "MongoDB",
            () -> Interlock.connect("mongodb://localhost/locks"),
            QUORUM,
            () -> Interlock.builder(QuorumStore.over(List.of(
                            RedisStore.at("redis://a"), RedisStore.at("redis://b"), RedisStore.at("redis://c"))))
                    .build());

    /** The columns of the table; every store has the rest. */
    private static final List<Set<Capability>> COLUMNS = List.of(
            EnumSet.of(Capability.FAIR_LOCK, Capability.READ_WRITE_LOCK, Capability.SEMAPHORE, Capability.LATCH),
            EnumSet.of(Capability.LAPSE),
            EnumSet.of(Capability.RETENTION),
            EnumSet.of(Capability.REVOCATION));

    @Test
    void eachCell_isWhatTheStoreSays() throws IOException {
        Map<String, List<String>> rows = rows();

        assertThat(rows.keySet()).isEqualTo(STORES.keySet()).hasSize(KnownStore.values().length + 1);
        rows.forEach((store, cells) -> {
            Set<Capability> capabilities = capabilities(store);
            for (int i = 0; i < COLUMNS.size(); i++) {
                Set<Capability> can = EnumSet.copyOf(COLUMNS.get(i));
                can.retainAll(capabilities);
                assertThat(can)
                        .as("%s, column %s", store, COLUMNS.get(i))
                        .isEqualTo(cells.get(i).startsWith("yes") ? COLUMNS.get(i) : Set.of());
            }
            assertThat(capabilities).as(store).contains(Capability.LISTING);
        });
    }

    @Test
    void eachCapability_isInAColumn_orEveryStoreHasIt() {
        assertThat(Stream.concat(COLUMNS.stream().flatMap(Set::stream), Stream.of(Capability.LISTING)))
                .containsExactlyInAnyOrder(Capability.values());
    }

    /** The condition in the cell. */
    @Test
    void aQuorumWithAZooKeeper_leavesNothingToLapse() throws IOException {
        assertThat(rows().get(QUORUM)).contains("yes, if all of its stores can");
        try (Interlock mixed = Interlock.builder(QuorumStore.over(List.of(
                        RedisStore.at("redis://a"), RedisStore.at("redis://b"), ZooKeeperStore.at("zk://c/locks"))))
                .build()) {
            assertThat(mixed.capabilities()).doesNotContain(Capability.LAPSE);
        }
    }

    private static Set<Capability> capabilities(String store) {
        try (Interlock client = Objects.requireNonNull(STORES.get(store), store).get()) {
            return client.capabilities();
        }
    }

    /** The cells behind the name of each store. */
    private static Map<String, List<String>> rows() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/choose-a-store.md"));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        Pattern.compile("(?m)^\\| ([^|\\n]+) \\|((?: (?:yes|no)[^|\\n]* \\|){4})$")
                .matcher(page)
                .results()
                .forEach(row -> rows.put(
                        row.group(1),
                        Arrays.stream(row.group(2).split("\\|"))
                                .map(String::strip)
                                .toList()));
        return rows;
    }
}
