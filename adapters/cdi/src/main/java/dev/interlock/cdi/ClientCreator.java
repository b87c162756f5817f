package dev.interlock.cdi;

import dev.interlock.Interlock;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;

/** Makes the client of an application that has none of its own, without I/O. */
public final class ClientCreator implements SyntheticBeanCreator<Interlock> {

    /** For the container. */
    public ClientCreator() {}

    /**
     * Makes it.
     *
     * @throws IllegalStateException if there is neither {@code interlock.uri} nor a bean of type {@code LockStore}
     * @throws IllegalArgumentException if a setting is wrong; the message names it
     */
    @Override
    public Interlock create(Instance<Object> lookup, Parameters parameters) {
        return lookup.select(CdiFramework.class).get().makeClient();
    }
}
