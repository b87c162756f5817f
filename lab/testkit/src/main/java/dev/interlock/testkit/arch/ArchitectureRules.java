package dev.interlock.testkit.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Date;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the main code of every module keeps to. A module inherits it with one class in its tests, which names any class
 * of its main code:
 *
 * <pre>{@code
 * class RedisArchitectureTest extends ArchitectureRules {
 *   RedisArchitectureTest() {
 *     super(RedisStore.class, false);
 *   }
 * }
 * }</pre>
 *
 * <p>All tests share an instance: to read the classes takes far longer than to check them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureRules {

    private final JavaClasses main;
    private final boolean wallClockAllowed;

    /**
     * Rules for the module of this class.
     *
     * @param anyMainClass a class of the module's main code: all that lies beside it is checked
     * @param wallClockAllowed whether the module may tell the time of day: it shows it to people, and decides nothing
     *     by it
     */
    protected ArchitectureRules(Class<?> anyMainClass, boolean wallClockAllowed) {
        this.main = new ClassFileImporter()
                .importUrl(anyMainClass.getProtectionDomain().getCodeSource().getLocation());
        this.wallClockAllowed = wallClockAllowed;
    }

    /** The classes of the module, for rules of its own. */
    protected final JavaClasses main() {
        return main;
    }

    @Test
    void mainCodeIsFound() {
        assertThat(main).as("classes of the module").isNotEmpty();
    }

    @Test
    void P10_theWallClockIsNotRead() {
        if (!wallClockAllowed) {
            noClasses()
                    .should()
                    .accessTargetWhere(WALL_CLOCK)
                    .because("its steps must not end or revive a lease, or a wait: take the injected monotonic clock")
                    .check(main);
        }
    }

    @Test
    void loggingGoesThroughTheSystemLogger() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..")
                .because("the application chooses where its logs go: take System.Logger")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void noFrameworkIsNeeded() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "org.aopalliance..", "jakarta..", "io.micronaut..")
                .because("it is for all of them: a framework has a module of its own, which implements an interface")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void storesAndToolsDoNotReachIntoTheEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.interlock", "dev.interlock.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.interlock.engine..")
                .because("its door is the public API")
                .allowEmptyShould(true)
                .check(main);
    }

    /**
     * Simple names of top-level classes that may stand in a cycle of dependencies, each with a comment that says why.
     * By default there is none.
     */
    protected Set<String> allowedInCycles() {
        return Set.of();
    }

    /** A reader can take the classes of a module one after the other, each after those that it uses. */
    @Test
    void topLevelClasses_areFreeOfCycles() {
        slices().assignedFrom(new TopLevelClasses(allowedInCycles()))
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void packages_areFreeOfCycles() {
        slices().matching("dev.interlock.(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(main);
    }

    /** A slice for each top-level class, with the classes that are nested in it. */
    private record TopLevelClasses(Set<String> left) implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass outer = type;
            while (outer.getEnclosingClass().isPresent()) {
                outer = outer.getEnclosingClass().get();
            }
            return !outer.getName().startsWith("dev.interlock.") || left.contains(outer.getSimpleName())
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(outer.getName());
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    }

    private static final DescribedPredicate<JavaAccess<?>> WALL_CLOCK =
            DescribedPredicate.describe("the target is the wall clock", access -> isWallClock(access));

    private static boolean isWallClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getTarget().getName();
        if (owner.equals(System.class.getName())) {
            return name.equals("currentTimeMillis");
        }
        if (owner.equals(Date.class.getName())) {
            // With a parameter it is only a way to write a moment down.
            return access.getTarget().getFullName().equals("java.util.Date.<init>()");
        }
        boolean ofJavaTime = owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system"));
        boolean calendar = owner.equals("java.util.Calendar") && name.equals("getInstance");
        return ofJavaTime || calendar;
    }
}
