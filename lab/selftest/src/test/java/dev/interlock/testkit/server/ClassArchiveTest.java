package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

    private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    private Path directory = Path.of(".");

    /** Writes a file whose name is its argument. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Files.writeString(Path.of(arguments[0]), "written");
        }
    }

    @Test
    void classesOfAFolder_areLoadedFromTheArchive_whichIsWrittenOnce() throws Exception {
        ClassArchive archive = ofWriter();

        assertThat(ofWriter().file()).isEqualTo(archive.file()).isNotEmptyFile();
        assertThat(archive.folder().resolve("training")).hasContent("written");
        assertThat(sourceOfWriter(archive.classPath(), "-XX:SharedArchiveFile=" + archive.file()))
                .contains("shared objects file (top)");
        // The control: without the archive, the class comes from the jar that its folder was packed into.
        assertThat(sourceOfWriter(archive.classPath())).contains(".jar");
    }

    private static ClassArchive ofWriter() {
        return ClassArchive.trained(
                "writer",
                FLAGS,
                Writer.class,
                folder -> List.of(folder.resolve("training").toString()));
    }

    /** Where a JVM says that it has this class from. */
    private String sourceOfWriter(String classPath, String... options) throws Exception {
        Path log = directory.resolve("log-" + options.length);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of(options));
        command.addAll(List.of("-Xlog:class+load:file=" + log, "-cp", classPath, Writer.class.getName()));
        command.add(directory.resolve("output").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(Writer.class.getName() + " "))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
