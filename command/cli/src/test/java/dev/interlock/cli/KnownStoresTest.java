package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.KnownStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the help, the pages and the package say of the stores is what {@link KnownStore} lists. */
final class KnownStoresTest {

    private static final Path ROOT = Path.of("../..");

    /** The command has them all, but for the one in the memory of a process. */
    @Test
    void schemes_areThoseOfTheProviders() {
        Set<Set<String>> provided = ServiceLoader.load(LockStoreProvider.class).stream()
                .map(provider -> provider.get().schemes())
                .collect(Collectors.toSet());

        assertThat(provided)
                .isEqualTo(served().map(store -> (Set<String>) new HashSet<>(store.schemes()))
                        .collect(Collectors.toSet()));
        assertThat(served().count()).isEqualTo(KnownStore.values().length - 1);
    }

    /** The log names it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://app:secret@here:1/2",
                "jdbc:postgresql://app:secret@here:1/base",
                "sqlite:/here",
                "zk://app:secret@here:1/path",
                "etcd://app:secret@here:1/path",
                "mongodb://app:secret@here:1/base"
            })
    void aStore_saysWhereItIs_withoutThePassword(String uri) {
        LockStoreProvider provider = ServiceLoader.load(LockStoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.schemes().contains(uri.substring(0, uri.indexOf(':'))))
                .findFirst()
                .orElseThrow();
        try (LockStore store = provider.create(uri)) {
            String said = store.toString();
            assertThat(said)
                    .startsWith(store.getClass().getSimpleName() + "[")
                    .contains("here")
                    .doesNotContain("secret");
            if (uri.contains(":1")) {
                assertThat(said).contains("here:1");
            }
        }
    }

    /** Those whose locks several processes share. */
    static Stream<KnownStore> served() {
        return Arrays.stream(KnownStore.values()).filter(store -> store != KnownStore.MEMORY);
    }

    @ParameterizedTest
    @MethodSource("served")
    void eachCommand_saysItsForm(KnownStore store) {
        for (List<String> command : List.of(
                List.of("run"),
                List.of("lead"),
                List.of("ls"),
                List.of("top"),
                List.of("show"),
                List.of("waits"),
                List.of("wait"),
                List.of("doctor"),
                List.of("unlock"),
                List.of("history"),
                List.of("latch", "set"),
                List.of("demo"))) {
            String[] words =
                    Stream.concat(command.stream(), Stream.of("--help")).toArray(String[]::new);
            assertThat(InProcess.run(words).exited(0).out())
                    .as("help of %s", command)
                    .contains(beginning(store));
        }
    }

    @ParameterizedTest
    @MethodSource("served")
    void thePagesOfTheCommand_sayItsForm(KnownStore store) throws IOException {
        String page = Files.readString(Path.of("src/dist/man/interlock.1"))
                .replace("\\-", "-")
                .replaceAll("\\\\f[BIR]", "");
        assertThat(page.substring(page.indexOf("\n.SH STORES\n"), page.indexOf("\n.SH DURATIONS\n")))
                .contains("\n" + beginning(store));
        assertThat(read("docs/command.md")).contains("| `" + beginning(store));
        String word = store == KnownStore.JDBC ? "postgresql" : word(store);
        assertThat(read("command/cli/src/dist/deb/control").toLowerCase(Locale.ROOT))
                .contains(word);
    }

    /** Each page that names the artefacts of two stores names all. */
    @ParameterizedTest
    @EnumSource
    void thePagesOfTheLibrary_nameItsArtefact(KnownStore store) throws IOException {
        for (String page : List.of(
                "README.md", "docs/install.md", "bom/pom.xml", "docs/internals/dependencies.md", "docs/guide.md")) {
            assertThat(read(page)).as(page).contains(store.artifact());
        }
        assertThat(ROOT.resolve("stores").resolve(word(store))).as("its module").isDirectory();
        assertThat(KnownStore.artifacts("or")).contains(store.artifact());
    }

    @Test
    void anExample_isAUriOfItsStore() {
        assertThat(KnownStore.values()).allSatisfy(store -> assertThat(store.schemes())
                .anyMatch(scheme -> store.example().startsWith(scheme + ":")));
        assertThat(KnownStore.artifacts("or"))
                .isEqualTo("interlock-redis, interlock-jdbc, interlock-zookeeper, interlock-etcd, interlock-mongodb"
                        + " or interlock-memory");
    }

    @Test
    void advice_namesTheArtefact_orWhatIsMeant_andNoPassword() {
        assertThat(KnownStore.advice("etcds://u:secret@host")).isEqualTo(": add interlock-etcd");
        assertThat(KnownStore.advice("Redis:host")).isEqualTo(": add interlock-redis");
        assertThat(KnownStore.advice("tcp://u:secret@host:6379")).isEmpty();
        assertThat(KnownStore.advice("u:secret@host:6379")).isEmpty();
        assertThat(KnownStore.advice("admin:1234")).isEmpty();
        for (String odd : List.of("", ":", "://", "x:", "x://", ":6379", "6379:", "//:6379")) {
            assertThat(KnownStore.advice(odd)).doesNotContain("null");
        }
    }

    /** As {@code redis://}. */
    private static String beginning(KnownStore store) {
        return store.example().replaceFirst("//.*", "//");
    }

    private static String word(KnownStore store) {
        return store.name().toLowerCase(Locale.ROOT);
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }
}
