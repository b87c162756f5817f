package dev.interlock.cdi;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import java.util.List;

/**
 * The classes of beans with annotated methods, as {@link CdiExtension} has found them.
 *
 * @param types each once
 */
public record LockedTypes(List<Class<?>> types) {

    /** Copies the list. */
    public LockedTypes {
        types = List.copyOf(types);
    }

    /** Makes it of what the extension has left. */
    public static final class Creator implements SyntheticBeanCreator<LockedTypes> {

        /** For the container. */
        public Creator() {}

        @Override
        public LockedTypes create(Instance<Object> lookup, Parameters parameters) {
            return new LockedTypes(List.of(parameters.get("types", Class[].class)));
        }
    }
}
