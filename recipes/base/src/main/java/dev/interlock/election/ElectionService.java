package dev.interlock.election;

import dev.interlock.spi.ElectionProvider;
import java.time.Duration;

/** Makes elections; {@link java.util.ServiceLoader} finds it. */
public final class ElectionService implements ElectionProvider {

    @Override
    public Elections open(Locks client, Duration pollCap, Duration closeTimeout) {
        return new ClientElections(LockElection::new, client, pollCap, closeTimeout);
    }
}
