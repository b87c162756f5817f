package dev.interlock.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class ChildJvmTest {

    private static final Duration PATIENCE = Patience.FULL;

    @Test
    void passesArgumentsAndLines_andTellsTheExitCode() {
        try (ChildJvm child = ChildJvm.start(EchoMain.class, "one", "two")) {
            assertThat(child.await("ready", PATIENCE)).isEqualTo("one,two");
            child.send("gr\u00fc\u00df dich");
            assertThat(child.await("echo", PATIENCE)).isEqualTo("gr\u00fc\u00df dich");
            child.send("exit 7");
            assertThat(child.awaitExit(PATIENCE)).isEqualTo(7);
        }
    }

    @Test
    void stopsAndResumes_withProof() {
        try (ChildJvm child = ChildJvm.start(EchoMain.class)) {
            child.await("ready", PATIENCE);

            child.stop();
            assertThat(Signals.state(child.pid())).isEqualTo(Signals.STOPPED);
            child.send("hello");
            assertThatThrownBy(() -> child.await("echo", Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("was silent");

            child.resume();
            assertThat(child.await("echo", PATIENCE)).isEqualTo("hello");
        }
    }

    @Test
    void kills_alsoWhatIsStopped() {
        ChildJvm child = ChildJvm.start(EchoMain.class);
        child.await("ready", PATIENCE);
        child.stop();

        child.kill();

        assertThat(child.isAlive()).isFalse();
        assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 9);
        assertThat(Signals.state(child.pid())).isEqualTo(Signals.GONE);
        child.close();
    }

    @Test
    void saysWhatItSawLast_whenTheChildEndsTooSoon() {
        try (ChildJvm child = ChildJvm.start(EchoMain.class)) {
            child.await("ready", PATIENCE);
            child.send("exit 0");

            assertThatThrownBy(() -> child.await("echo", PATIENCE))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended before a line that begins with 'echo'")
                    .hasMessageContaining("ready");
        }
    }

    @Test
    void signals_nobody_isAnError() {
        assertThatThrownBy(() -> Signals.send("STOP", Integer.MAX_VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("kill -STOP");
    }
}
