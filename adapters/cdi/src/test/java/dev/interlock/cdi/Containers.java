package dev.interlock.cdi;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.util.Map;
import java.util.Properties;

/** Containers of Weld with these classes as their beans, and settings by system properties. */
final class Containers {

    private Containers() {}

    /** Locks in memory. */
    static SeContainer of(Class<?>... beans) {
        return with(Map.of("interlock.uri", "memory:"), beans);
    }

    /** Settings are read while the container starts. */
    static SeContainer with(Map<String, String> settings, Class<?>... beans) {
        Properties before = (Properties) System.getProperties().clone();
        settings.forEach(System::setProperty);
        try {
            return SeContainerInitializer.newInstance()
                    .disableDiscovery()
                    .addBeanClasses(beans)
                    .initialize();
        } finally {
            System.setProperties(before);
        }
    }
}
