package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import dev.interlock.testkit.server.EtcdServer;
import dev.interlock.testkit.store.BlockingClient;
import dev.interlock.testkit.store.EveryVerb;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P28: the contract holds with the rights that the command in docs/etcd.md gives, and fewer are refused and named. */
@Tag("wide")
class EtcdMinimalRightsContractTest extends LockStoreContract {

    private static final Pattern DOCUMENTED =
            Pattern.compile("    etcdctl (role grant-permission (\\S+) --prefix=true readwrite (\\S+))");

    private static @Nullable EtcdServer server;
    private static String path = "";

    @BeforeAll
    static void startServer() throws Exception {
        TestEtcd.assumeInstalled();
        Matcher documented = DOCUMENTED.matcher(Files.readString(Path.of("..", "..", "docs", "etcd.md")));
        assertThat(documented.find()).isTrue();
        path = documented.group(3);
        server = EtcdServer.start();
        try (Client root = Client.builder().endpoints("http://" + server.host()).build()) {
            Auth auth = root.getAuthClient();
            user(auth, "root", "root");
            user(auth, "least", documented.group(2));
            etcdctl(documented.group(1));
            user(auth, "reader", "reading");
            etcdctl("role grant-permission reading --prefix=true read " + path);
            user(auth, "writer", "writing");
            etcdctl("role grant-permission writing --prefix=true write " + path);
            user(auth, "slash", "within");
            etcdctl("role grant-permission within --prefix=true readwrite " + path + "/");
            auth.authEnable().get();
        }
    }

    private static void user(Auth auth, String user, String role) throws Exception {
        auth.userAdd(Operations.bytes(user), Operations.bytes("secret")).get();
        auth.roleAdd(Operations.bytes(role)).get();
        auth.userGrantRole(Operations.bytes(user), Operations.bytes(role)).get();
    }

    private static void etcdctl(String words) throws IOException, InterruptedException {
        String program = EtcdServer.command("etcdctl").map(Object::toString).orElse("");
        assumeThat(program).as("etcdctl is beside etcd").isNotEmpty();
        List<String> command = new ArrayList<>(List.of(program, "--endpoints=" + server().host()));
        command.addAll(List.of(words.split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ETCDCTL_API", "3");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private static EtcdServer server() {
        return Objects.requireNonNull(server);
    }

    private static EtcdStore store(String user) {
        return EtcdStore.at(
                "etcd://" + user + ":secret@" + server().host() + "/" + path + "?session=" + TestEtcd.LONG_SESSION);
    }

    @Override
    protected LockStore openStore() {
        return store("least");
    }

    @Override
    protected boolean queues() {
        return true;
    }

    private static Map<String, Throwable> failures(String user) {
        try (BlockingClient client = new BlockingClient(store(user));
                BlockingClient other = new BlockingClient(store(user))) {
            return EveryVerb.failures(client, other, user);
        }
    }

    @Test
    void P28_theRightsOfTheDocumentAreEnoughForEveryVerb() {
        long before = server().refusals();

        assertThat(failures("least")).isEmpty();

        assertThat(server().refusals()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"reader, acquire", "writer, acquire", "slash, take permits"})
    void P28_aMissingRightIsNamed_andTheServerCountsTheRefusal(String user, String verb) {
        long before = server().refusals();

        Map<String, Throwable> failures = failures(user);

        assertThat(failures.get(verb))
                .as("what has failed: %s", failures)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("lacks the right to read and write all keys")
                .hasMessageContaining("--prefix=true readwrite " + path);
        assertThat(server().refusals()).isGreaterThan(before);
    }
}
