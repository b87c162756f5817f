package dev.interlock.cdi;

import dev.interlock.Interlock;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanDisposer;

/** Closes what {@link ClientCreator} has made, with the container. */
public final class ClientDisposer implements SyntheticBeanDisposer<Interlock> {

    /** For the container. */
    public ClientDisposer() {}

    @Override
    public void dispose(Interlock client, Instance<Object> lookup, Parameters parameters) {
        client.close();
    }
}
