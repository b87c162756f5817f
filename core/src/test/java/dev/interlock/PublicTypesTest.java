package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockStore;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of the core that its users see: one more type takes the place of another, or has to earn a new bound. */
class PublicTypesTest {

    @Test
    void theApiAndTheSpi_haveAtMostSoManyTypes() throws Exception {
        assertThat(publicTypes(Interlock.class)).hasSizeLessThanOrEqualTo(23);
        assertThat(publicTypes(LockStore.class)).hasSizeLessThanOrEqualTo(24);
    }

    private static List<String> publicTypes(Class<?> inPackage) throws Exception {
        Path classes = Path.of(Interlock.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String name = inPackage.getPackageName();
        try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file ->
                            file.endsWith(".class") && !file.contains("$") && !file.equals("package-info.class"))
                    .map(file -> name + "." + file.substring(0, file.length() - ".class".length()))
                    .filter(PublicTypesTest::isPublic)
                    .toList();
        }
    }

    private static boolean isPublic(String type) {
        try {
            return Modifier.isPublic(Class.forName(type).getModifiers());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
