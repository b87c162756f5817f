package dev.interlock.election;

import dev.interlock.Interlock;
import dev.interlock.spi.ElectionProvider;
import java.time.Duration;

/** Makes elections; {@link java.util.ServiceLoader} finds it. */
public final class ElectionService implements ElectionProvider {

    @Override
    public Elections open(Interlock client, Duration pollCap, Duration closeTimeout) {
        return new ClientElections(client, pollCap, closeTimeout);
    }
}
