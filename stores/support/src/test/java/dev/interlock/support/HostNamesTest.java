package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How names are resolved: as the system would, from its files and name servers, and anew each time. */
class HostNamesTest {

    @TempDir
    Path etc;

    private NameServer server;
    private HostNames names;

    @BeforeEach
    void start() throws IOException {
        server = new NameServer();
        names = new HostNames(null, etc, server.port());
        write("resolv.conf", "# made by a test\nnameserver 127.0.0.1\n");
        write("hosts", "127.0.0.1 localhost\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(etc.resolve(file), text);
    }

    private List<String> addresses(String host) {
        return names.lookUp(host).stream().map(InetAddress::getHostAddress).toList();
    }

    @Test
    void aNameThatMoves_isFoundAtItsNewAddress() {
        server.knows("db.example", "10.0.0.1");
        assertThat(addresses("db.example")).containsExactly("10.0.0.1");

        server.knows("db.example", "10.0.0.2", "10.0.0.3");

        assertThat(addresses("db.example")).containsExactlyInAnyOrder("10.0.0.2", "10.0.0.3");
    }

    @Test
    void anAddress_hasTheNameAsItsHost() {
        server.knows("db.example", "10.0.0.1");

        assertThat(names.lookUp("db.example"))
                .extracting(InetAddress::getHostName)
                .containsExactly("db.example");
    }

    @Test
    void theFileOfHosts_comesFirst_andIsReadAnew() throws IOException {
        server.knows("db.example", "10.0.0.1");
        write("hosts", "10.0.0.7 other # db.example\n10.0.0.8\tx DB.example\n");
        assertThat(addresses("db.example")).containsExactly("10.0.0.8");

        write("hosts", "10.0.0.9 db.example\n");

        assertThat(addresses("db.example")).containsExactly("10.0.0.9");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aShortName_isSearchedInTheDomainsFirst() throws IOException {
        write("resolv.conf", "nameserver 127.0.0.1\nsearch one.svc two.svc\noptions timeout:1 ndots:5\n");
        server.knows("redis.two.svc", "10.0.0.1");
        server.knows("redis", "10.0.0.2");
        server.knows("redis.prod.svc.cluster.local", "10.0.0.3");

        assertThat(addresses("redis")).containsExactly("10.0.0.1");
        assertThat(server.asked()).first().isEqualTo("redis.one.svc");
        assertThat(addresses("redis.prod.svc.cluster.local.")).containsExactly("10.0.0.3");
    }

    @Test
    void aLongName_isAskedForAsItIsFirst() throws IOException {
        write("resolv.conf", "nameserver 127.0.0.1\nsearch one.svc\n");
        server.knows("db.example", "10.0.0.1");

        assertThat(addresses("db.example")).containsExactly("10.0.0.1");
        assertThat(server.asked()).containsExactly("db.example");
        server.knows("db.inside.one.svc", "10.0.0.2");
        assertThat(addresses("db.inside")).containsExactly("10.0.0.2");
    }

    @Test
    void addressesOfTheOtherKind_areFound() {
        server.knows("six.example", "fd00::1");

        assertThat(addresses("six.example")).containsExactly("fd00:0:0:0:0:0:0:1");
    }

    /** Java's resolver decides. */
    @ParameterizedTest
    @ValueSource(strings = {"unknown.example", "printer.local", "ldap://evil.example/x", "a/b", "a\\", "\"x"})
    void aNameThatNobodyKnows_hasNone(String host) {
        server.knows("printer.local", "10.0.0.1");

        assertThat(addresses(host)).isEmpty();
    }

    @Test
    void withoutAServerThatAnswers_thereIsNone() throws IOException {
        server.close();
        assertThat(addresses("db.example")).isEmpty();

        write("resolv.conf", "");
        assertThat(addresses("db.example")).isEmpty();

        Files.delete(etc.resolve("resolv.conf"));
        assertThat(addresses("db.example")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "passwd: files ldap\nhosts: files dns\n",
                "hosts: files mdns4_minimal [NOTFOUND=return] dns myhostname\n",
                "hosts:\tmymachines resolve [!UNAVAIL=return] files myhostname dns # usual\n",
                "passwd: files\n"
            })
    void wherePlainSourcesAreAsked_theyAre(String sources) throws IOException {
        write("nsswitch.conf", sources);
        server.knows("db.example", "10.0.0.1");

        assertThat(addresses("db.example")).containsExactly("10.0.0.1");
    }

    /** These may know another address. */
    @ParameterizedTest
    @ValueSource(strings = {"hosts: files ldap dns\n", "hosts: nis [NOTFOUND=return] files\n", "hosts: files sss dns"})
    void whereOtherSourcesAreAsked_javaDecides(String sources) throws IOException {
        write("nsswitch.conf", sources);
        server.knows("db.example", "10.0.0.1");

        assertThat(addresses("db.example")).isEmpty();
    }

    @Test
    void javasOwnFile_isTheOnlySource() throws IOException {
        server.knows("db.example", "10.0.0.1");
        write("mine", "10.0.0.5 mine.example\n");
        HostNames only = new HostNames(etc.resolve("mine"), etc, server.port());

        assertThat(only.lookUp("mine.example"))
                .singleElement()
                .satisfies(address -> assertThat(address.getHostAddress()).isEqualTo("10.0.0.5"));
        assertThat(only.lookUp("db.example")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.1.2.3", "::1", "fe80::1", "localhost", "LOCALHOST", "redis.localhost"})
    void addressesAndThisMachine_areKnown(String host) {
        assertThat(HostNames.isKnown(host)).isTrue();
    }

    @Test
    void everythingElse_hasToBeAskedFor() throws UnknownHostException {
        assertThat(HostNames.isKnown("db.example")).isFalse();
        assertThat(HostNames.resolve("localhost")).contains(InetAddress.getLoopbackAddress());
        assertThat(HostNames.resolve("10.1.2.3")).containsExactly(InetAddress.getByName("10.1.2.3"));
        assertThatThrownBy(() -> HostNames.resolve("nobody.invalid")).isInstanceOf(UnknownHostException.class);
    }
}
