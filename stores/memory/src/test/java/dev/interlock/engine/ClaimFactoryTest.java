package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** Whom the claims of a client are from. */
class ClaimFactoryTest {

    private final ClaimFactory claims = new ClaimFactory("application", new SecureRandom());

    @Test
    void eachClaimHasAnOwnerOfTheClient() {
        Claim first = newClaim(claims, LockOptions.defaults());
        Claim second = newClaim(claims, LockOptions.defaults());

        assertThat(first.owner().clientId()).isEqualTo(claims.clientId());
        assertThat(second.owner().clientId()).isEqualTo(claims.clientId());
        assertThat(first.owner()).isNotEqualTo(second.owner());
        assertThat(first.owner().isOfAcquisition()).isTrue();
    }

    @Test
    void aClaimNamesProcessAndThread() throws IOException {
        assertThat(newClaim(claims, LockOptions.defaults()).party())
                .isEqualTo(new Party(hostName(), ProcessHandle.current().pid(), "application", "thread"));
    }

    @Test
    void aClaimForAParticipant_namesThatInsteadOfTheThread() {
        LockOptions options = LockOptions.builder().participant("participant").build();
        assertThat(newClaim(claims, options).party().thread()).isEqualTo("participant");
    }

    /** The resolver may take seconds while the network is down. */
    @Test
    void theHostNameIsLookedUpOnceForAllClients() {
        ClaimFactory other = new ClaimFactory("other", new SecureRandom());
        String host = newClaim(claims, LockOptions.defaults()).party().host();

        assertThat(newClaim(other, LockOptions.defaults()).party().host()).isSameAs(host);
    }

    private static Claim newClaim(ClaimFactory claims, LockOptions options) {
        Request request = new Request(LockId.lock("n"), Mode.exclusive(), options, LeaseTerm.renewing());
        return claims.newClaim(request, "thread");
    }

    private static String hostName() throws IOException {
        Path kernel = Path.of("/proc/sys/kernel/hostname");
        return Files.isReadable(kernel)
                ? Files.readString(kernel).trim()
                : InetAddress.getLocalHost().getHostName();
    }
}
