package dev.interlock.test;

import dev.interlock.Interlock;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes the fixture of each test, and ends it. It has no state but that of JUnit's store. */
final class InterlockExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(InterlockExtension.class);

    private static final Map<Class<?>, Function<Fixture, Object>> PARAMETERS = Map.of(
            Interlock.class, Fixture::interlock,
            Locks.class, Fixture::locks,
            TestStore.class, Fixture::store,
            TestClock.class, Fixture::clock);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

    @Override
    public void beforeEach(ExtensionContext context) {
        Fixture fixture = isSpringTest(context) ? SpringTests.fixture(context) : Fixture.of(uri(context));
        context.getStore(NAMESPACE).put(Held.class, new Held(fixture));
        fixture.begin();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Fixture fixture = fixture(context);
        if (fixture == null) {
            return;
        }
        try {
            fixture.end();
        } finally {
            // That of an application is closed with its context.
            if (!isSpringTest(context)) {
                fixture.close();
            }
        }
    }

    private static boolean isSpringTest(ExtensionContext context) {
        return SpringTests.contain(context.getRequiredTestClass());
    }

    private static @Nullable Fixture fixture(ExtensionContext context) {
        Held held = context.getStore(NAMESPACE).get(Held.class, Held.class);
        return held == null ? null : held.fixture;
    }

    /** A fixture in JUnit's store, which would close it if it could: that of an application lives on. */
    private record Held(Fixture fixture) {}

    private static String uri(ExtensionContext context) {
        String uri = annotation(context).uri();
        Matcher placeholder = PLACEHOLDER.matcher(uri);
        if (!placeholder.matches()) {
            return uri;
        }
        String name = placeholder.group(1);
        return context.getConfigurationParameter(name)
                .orElseThrow(() -> new ExtensionConfigurationException("The uri of @InterlockTest is \"" + uri
                        + "\", and there is no such parameter: set the system property " + name
                        + " before the test begins"));
    }

    /** The nearest: of the method, its class, or a class around it. */
    private static InterlockTest annotation(ExtensionContext context) {
        Optional<InterlockTest> found =
                AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), InterlockTest.class);
        Class<?> at = context.getRequiredTestClass();
        while (found.isEmpty() && at != null) {
            found = AnnotationSupport.findAnnotation(at, InterlockTest.class);
            at = at.getEnclosingClass();
        }
        return found.orElseThrow();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // One that is annotated is for somebody else, as one with @Autowired.
        return PARAMETERS.containsKey(parameter.getParameter().getType())
                && parameter.getParameter().getAnnotations().length == 0;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Fixture fixture = parameter.getDeclaringExecutable() instanceof Constructor ? null : fixture(context);
        if (fixture == null) {
            throw new ParameterResolutionException("Each test has its own " + type.getSimpleName()
                    + ": make it a parameter of the test, of @BeforeEach or of @AfterEach, and not of "
                    + parameter.getDeclaringExecutable());
        }
        return Objects.requireNonNull(PARAMETERS.get(type)).apply(fixture);
    }
}
