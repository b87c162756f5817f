package dev.interlock.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.Framework;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.LockedOperation;
import dev.interlock.annotation.spi.ResultForms;
import dev.interlock.annotation.spi.ResultTypes;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The example of the package for frameworks: it compiles, and runs a method under its lock. */
class SpiExampleTest {

    private static final Path SOURCES = Path.of("src");
    private static final String PACKAGE = "main/java/dev/interlock/annotation/spi/package-info.java";
    private static final String THIS = "test/java/dev/interlock/annotation/SpiExampleTest.java";

    static class Annotated {
        @Locked("x")
        public boolean isLocked(Interlock interlock) {
            return interlock.lock("x").isHeldByCurrentThread();
        }
    }

    private static @Nullable Object example(
            Framework framework, Expressions expressions, Method method, Class<?> type, Call call) throws Throwable {
        // The example begins.
        ResultForms forms = new ResultForms(ResultTypes.OF_THE_JDK);
        LockedCalls calls = new LockedCalls(framework);

        List<LockedOperation> operations = new ArrayList<>();
        for (Locked annotation : method.getAnnotationsByType(Locked.class)) {
            operations.add(new LockedOperation(annotation, method, type, expressions, forms));
        }

        // For each call, if there is an operation:
        Object result = calls.run(call, operations);
        // The example ends.
        return result;
    }

    @Test
    void example_runsUnderTheLock() throws Throwable {
        try (Interlock interlock = Interlock.inMemory()) {
            PlainProxies framework = new PlainProxies(interlock, ResultTypes.OF_THE_JDK);
            Method method = Annotated.class.getMethod("isLocked", Interlock.class);
            Call call = new PlainProxies.Reflected(method, new Annotated(), List.of(interlock));
            assertThat(example(framework, framework, method, Annotated.class, call))
                    .isEqualTo(true);
        }
    }

    @Test
    void example_isThatOfThePackage() throws IOException {
        String compiled = between(THIS, "// The example begins.\n", "        // The example ends.");
        String shown = between(PACKAGE, "<pre>{@code\n", " * }</pre>\n *\n * <p><b>What is left");
        assertThat(compiled.lines().map(String::strip))
                .isNotEmpty()
                .containsExactlyElementsOf(shown.lines()
                        .map(line -> line.replaceFirst("^ \\* ?", "").strip())
                        .toList());
    }

    private static String between(String file, String begin, String end) throws IOException {
        String text = Files.readString(SOURCES.resolve(file));
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }
}
