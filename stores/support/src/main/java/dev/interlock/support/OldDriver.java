package dev.interlock.support;

import dev.interlock.spi.StoreRefusal;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.Attributes;

/**
 * The refusal of a driver that is too old for a store.
 *
 * <p>A store finds that out by a class that came with the least version that it works with. Unlike the version, such a
 * class can also be looked for in an application that is packed into one jar, or compiled to native code.
 */
public final class OldDriver {

    private static final String UNKNOWN = "unknown";

    private OldDriver() {}

    /**
     * The exception for a driver without that class.
     *
     * @param artifact the group and the name of the artifact, separated by a colon
     * @param least the least version that the store works with
     * @param property Spring Boot's property for the version of the driver
     * @param part a class of the driver, by whose jar the version is found
     * @param missing the error of the class that is missing
     */
    public static IllegalStateException refused(
            String artifact, String least, String property, Class<?> part, LinkageError missing) {
        return new StoreRefusal(refusal(artifact, least, property, version(part)), missing);
    }

    /** The message about a driver of this version; the other parameters are those of {@link #refused}. */
    public static String refusal(String artifact, String least, String property, String found) {
        return "This version of " + artifact + " is too old for Interlock: found=" + found + ", least=" + least
                + "; use that or a later one, with Spring Boot by the property " + property;
    }

    /** The version in the manifest of the class's jar. */
    private static String version(Class<?> part) {
        URL file = part.getResource(part.getSimpleName() + ".class");
        try {
            if (file != null && file.openConnection() instanceof JarURLConnection jar) {
                // Otherwise the jar would stay open.
                jar.setUseCaches(false);
                try (var opened = jar.getJarFile()) {
                    return version(opened.getManifest().getMainAttributes());
                }
            }
        } catch (IOException e) {
            // The version is only for people.
        }
        return UNKNOWN;
    }

    /** The parts behind a slash name a commit. */
    private static String version(Attributes manifest) {
        String version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        String other = version == null ? manifest.getValue("Bundle-Version") : version;
        return other == null ? UNKNOWN : other.replaceFirst("/.*", "");
    }
}
