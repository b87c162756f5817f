package dev.interlock.test;

import dev.interlock.Interlock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Tests with Spring's extension, whose application context has the fixture. */
final class SpringTests {

    private static final String EXTENSION = "org.springframework.test.context.junit.jupiter.SpringExtension";

    private SpringTests() {}

    /** Whether a test is one of these. Needs nothing of Spring. */
    static boolean contain(Class<?> test) {
        for (Class<?> at = test; at != null; at = at.getEnclosingClass()) {
            boolean found = AnnotationSupport.findRepeatableAnnotations(at, ExtendWith.class).stream()
                    .flatMap(extended -> List.of(extended.value()).stream())
                    .anyMatch(extension -> extension.getName().equals(EXTENSION));
            if (found) {
                return true;
            }
        }
        return false;
    }

    /**
     * The fixture of the application context.
     *
     * @throws IllegalStateException if it has none, or does not use it; the message says what to write
     */
    static Fixture fixture(ExtensionContext context) {
        ApplicationContext application = SpringExtension.getApplicationContext(context);
        Fixture fixture = application.getBeanProvider(Fixture.class).getIfAvailable();
        if (fixture == null) {
            throw new IllegalStateException("The application context of this test has no store that a test controls:"
                    + " set its property interlock.uri to memory:, as in"
                    + " @SpringBootTest(properties = \"interlock.uri=memory:\")");
        }
        Map<String, Interlock> clients = application.getBeansOfType(Interlock.class);
        if (!clients.isEmpty() && clients.values().stream().noneMatch(fixture::uses)) {
            throw new IllegalStateException("The application has clients of its own, the beans " + clients.keySet()
                    + ", so interlock.uri=memory: makes none, and Locks would control a store that nobody uses: leave"
                    + " these beans out of the test, for example by a profile");
        }
        return fixture;
    }
}
