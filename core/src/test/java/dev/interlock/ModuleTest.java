package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application of modules needs nothing besides to compile against this one. */
class ModuleTest {

    @Test
    void aModule_canRequireThisOne(@TempDir Path folder) throws Exception {
        Path module = Files.writeString(folder.resolve("module-info.java"), "module app { requires dev.interlock; }");
        Path user = Files.writeString(
                Files.createDirectory(folder.resolve("app")).resolve("User.java"),
                "package app; class User { dev.interlock.Interlock interlock = dev.interlock.Interlock.inMemory(); }");
        Path classes = Path.of(Interlock.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--module-path",
                    classes.toString(),
                    "-d",
                    folder.resolve("out").toString());
            Iterable<? extends javax.tools.JavaFileObject> sources =
                    files.getJavaFileObjectsFromFiles(List.<File>of(module.toFile(), user.toFile()));
            assertThat(compiler.getTask(errors, files, null, options, null, sources)
                            .call())
                    .as(errors::toString)
                    .isTrue();
        }
    }
}
