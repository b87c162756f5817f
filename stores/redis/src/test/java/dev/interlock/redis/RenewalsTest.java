package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.redis.command.Script;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A claim that its renewal does not find, and the search for the cause does: an acquire has arrived between the two.
 */
class RenewalsTest {

    private final AtomicInteger renewals = new AtomicInteger();

    @Test
    void whatIsFoundAfterwardsIsRenewed() throws IOException {
        assertThat(renewed(2)).containsOnly(Renewal.HELD);
        assertThat(renewals).hasValue(2);
    }

    @Test
    void whatIsNeverRenewedIsNotSaidToBeHeld_andNotAskedAboutForEver() throws IOException {
        assertThat(renewed(Integer.MAX_VALUE)).isEmpty();
        assertThat(renewals).hasValue(2);
    }

    /** @param succeeds which renewal finds it */
    private List<Renewal> renewed(int succeeds) throws IOException {
        try (ScriptedServer server = new ScriptedServer(words -> answer(words, succeeds));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            Claim claim = probe.claim("n");
            Map<Claim, Renewal> answers = Probe.answer(probe.store.renew(List.of(claim)));
            return List.copyOf(answers.values());
        }
    }

    private String answer(List<String> words, int succeeds) {
        return switch (words.get(0)) {
            case "HELLO" -> ScriptedServer.hello("standalone", "master");
            case "INFO" -> "$0\r\n";
            default -> isOf(Script.RENEW, words) && renewals.incrementAndGet() < succeeds ? "$1\r\n-" : "$1\r\nH";
        };
    }

    private static boolean isOf(Script script, List<String> words) {
        return words.get(1).equals(new String(script.sha(), US_ASCII));
    }
}
