package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.HoldingChild;
import dev.interlock.testkit.server.MovableName;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fail-over moves the name of a server: a healthy holder keeps its lease. */
public interface MovedNameContract {

    /** Less than the 30 s for which Java keeps an address, and more than a busy machine needs to connect again. */
    String LEASE = "PT20S";

    /** The port of the server on loopback. */
    int serverPort();

    /** The URI of the store at {@code host:port}. A session must last twice as long as the lease. */
    String uriAt(String host);

    @Test
    @Tag("wide")
    default void P04_aNameThatMoves_isResolvedAnew_andTheLeaseKept() throws IOException {
        String lock = "moved-" + UUID.randomUUID();
        try (MovableName name = new MovableName(serverPort());
                ChildJvm child = ChildJvm.start(
                        HoldingChild.class,
                        name.jvmOptions(),
                        List.of(uriAt(MovableName.NAME + ":" + name.port()), lock, LEASE))) {
            child.await("held", Patience.FULL);

            name.move();

            child.send("renewed");
            assertThat(child.await("renewed", Patience.FULL)).isEqualTo("true");
            child.send("check");
            assertThat(child.await("checked", Patience.FULL)).isEqualTo("true valid");
            child.send("release");
            assertThat(child.await("released", Patience.FULL)).isEqualTo("RELEASED");
        }
    }
}
