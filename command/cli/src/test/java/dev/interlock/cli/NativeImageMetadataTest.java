package dev.interlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockStoreProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The metadata for GraalVM names types and resources that exist, and the ones that are loaded by name. This test sees
 * the jars of all modules that have such metadata. The core has none: its only reflection is a call with constants,
 * which GraalVM finds by itself. The test does not show that an image can be built.
 */
class NativeImageMetadataTest {

    private static final String FOLDER = "META-INF/native-image/dev.interlock/";
    // Of a type: a method has no dot.
    private static final Pattern NAME = Pattern.compile("\"name\": \"([^\"]+\\.[^\"]+)\"");
    private static final Pattern RESOURCES = Pattern.compile("\"pattern\": \"([^\"]+)\"");

    /** Each artifact, with a class of it. */
    private static final Map<String, Class<?>> ARTIFACTS = Map.of(
            "interlock-redis", dev.interlock.redis.RedisStore.class,
            "interlock-jdbc", dev.interlock.jdbc.JdbcStore.class,
            "interlock-zookeeper", dev.interlock.zookeeper.ZooKeeperStore.class,
            "interlock-mongodb", dev.interlock.mongodb.MongoStore.class,
            "interlock-etcd", dev.interlock.etcd.EtcdStore.class,
            "interlock-cli", Main.class);

    @TestFactory
    Stream<DynamicTest> types_exist() {
        return ARTIFACTS.keySet().stream()
                .sorted()
                .map(artifact -> DynamicTest.dynamicTest(artifact, () -> {
                    List<String> names = matches(NAME, read(artifact, "reflect-config.json"));
                    assertThat(names).isNotEmpty();
                    for (String name : names) {
                        assertThat(Class.forName(name, false, Main.class.getClassLoader()))
                                .isNotNull();
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> resources_exist() {
        return ARTIFACTS.keySet().stream()
                .sorted()
                .map(artifact -> DynamicTest.dynamicTest(artifact, () -> {
                    List<String> contents = contents(artifact);
                    List<String> patterns = patterns(artifact);
                    assertThat(patterns).isNotEmpty().allSatisfy(pattern -> assertThat(contents)
                            .anyMatch(path -> path.matches(pattern)));
                }));
    }

    @Test
    void scriptsAndSchemas_areNamed() throws IOException {
        for (String artifact : List.of("interlock-redis", "interlock-jdbc", "interlock-cli")) {
            assertThat(contents(artifact))
                    .filteredOn(path -> path.matches("dev/interlock/.*\\.(lua|sql|txt)"))
                    .isNotEmpty()
                    .allSatisfy(path -> assertThat(patterns(artifact)).anyMatch(path::matches));
        }
    }

    @Test
    void providersOfStores_areNamed() throws IOException {
        List<String> named = new ArrayList<>();
        for (String artifact : ARTIFACTS.keySet()) {
            named.addAll(matches(NAME, read(artifact, "reflect-config.json")));
        }
        List<String> providers = ServiceLoader.load(LockStoreProvider.class).stream()
                .map(provider -> provider.type().getName())
                .toList();
        assertThat(providers).hasSize(5);
        assertThat(named).containsAll(providers);
    }

    @Test
    void commandsAndTheirOptions_areNamed() throws IOException {
        List<String> used = new ArrayList<>();
        collect(new CommandLine(new RootCommand()), used);
        assertThat(matches(NAME, read("interlock-cli", "reflect-config.json"))).containsAll(used);
    }

    private static void collect(CommandLine command, List<String> used) {
        Class<?> type = command.getCommand().getClass();
        used.add(type.getName());
        command.getCommandSpec()
                .mixins()
                .values()
                .forEach(mixin -> used.add(mixin.userObject().getClass().getName()));
        Class<?> version = requireNonNull(type.getAnnotation(Command.class)).versionProvider();
        if (version.getName().startsWith("dev.interlock.")) {
            used.add(version.getName());
        }
        command.getSubcommands().values().forEach(sub -> collect(sub, used));
    }

    private static List<String> patterns(String artifact) throws IOException {
        return matches(RESOURCES, read(artifact, "resource-config.json")).stream()
                .map(pattern -> pattern.replace("\\\\", "\\"))
                .toList();
    }

    private static String read(String artifact, String file) throws IOException {
        try (InputStream in = Main.class.getClassLoader().getResourceAsStream(FOLDER + artifact + "/" + file)) {
            assertThat(in).as(FOLDER + artifact + "/" + file).isNotNull();
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static List<String> matches(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** The paths in the jar, or in the folder of compiled classes, of this artifact. */
    private static List<String> contents(String artifact) throws IOException {
        Class<?> type = requireNonNull(ARTIFACTS.get(artifact));
        Path location =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        if (Files.isDirectory(location)) {
            return walk(location);
        }
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
            return walk(jar.getPath("/"));
        }
    }

    private static List<String> walk(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .toList();
        }
    }
}
