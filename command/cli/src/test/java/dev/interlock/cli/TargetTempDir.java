package dev.interlock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Puts the temporary directories of tests below the build directory: the JVM of the tests has read where it puts its
 * own before it was told.
 */
public final class TargetTempDir implements TempDirFactory {

    /** For JUnit. */
    public TargetTempDir() {}

    @Override
    public Path createTempDirectory(AnnotatedElementContext elementContext, ExtensionContext extensionContext)
            throws IOException {
        Path target = Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath();
        return Files.createTempDirectory(Files.createDirectories(target.resolve("tests")), "test-");
    }
}
