package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockStoreProvider;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The module shows what users need, and hides the rest. */
class JdbcModuleTest {

    private final ModuleDescriptor module = descriptor();

    @Test
    void module_exportsOnePackage() {
        assertThat(module.name()).isEqualTo("dev.interlock.jdbc");
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactly("dev.interlock.jdbc");
        assertThat(module.packages()).hasSizeGreaterThan(1);
    }

    @Test
    void module_providesTheStore() {
        assertThat(module.provides()).singleElement().satisfies(provided -> {
            assertThat(provided.service()).isEqualTo(LockStoreProvider.class.getName());
            assertThat(provided.providers()).containsExactly(JdbcStoreProvider.class.getName());
        });
    }

    /** A driver that is missing must not keep the module from being resolved. */
    @Test
    void drivers_areOptional() {
        assertThat(module.requires())
                .filteredOn(required -> required.name().contains("postgresql")
                        || required.name().contains("sqlite"))
                .hasSize(2)
                .allMatch(required -> required.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC));
    }

    private static ModuleDescriptor descriptor() {
        try {
            Path classes = Path.of(JdbcStore.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return ModuleFinder.of(classes).findAll().iterator().next().descriptor();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
