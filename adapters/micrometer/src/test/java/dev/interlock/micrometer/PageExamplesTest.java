package dev.interlock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The examples of docs/metrics.md compile. */
class PageExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void examples_compile() throws IOException {
        Matcher examples = EXAMPLE.matcher(Pages.read("metrics.md"));
        StringBuilder source = new StringBuilder(
                """
                import dev.interlock.*;
                import dev.interlock.micrometer.*;
                import io.micrometer.core.instrument.*;
                import io.micrometer.observation.ObservationRegistry;
                import io.micrometer.prometheusmetrics.*;
                class Examples {
                    MeterRegistry registry;
                    ObservationRegistry observationRegistry;
                """);
        int count = 0;
        while (examples.find()) {
            source.append("void example")
                    .append(count++)
                    .append("() {\n")
                    .append(examples.group(1))
                    .append("}\n");
        }
        assertThat(count).isGreaterThan(3);
        assertThat(problems(source.append("}\n").toString())).isEmpty();
    }

    private static List<? extends Diagnostic<?>> problems(String source) throws IOException {
        Path classes = Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "examples"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        compiler.getTask(null, null, found, options, null, List.of(file)).call();
        return found.getDiagnostics();
    }
}
