package dev.interlock.testkit.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the main code of every module keeps to. A module inherits it with one class in its tests, which names any class
 * of its main code, and what of the rules the module is free from. {@code PublishedModulesTest} looks for it:
 *
 * <pre>{@code
 * class RedisArchitectureTest extends ArchitectureRules {
 *   RedisArchitectureTest() {
 *     super(RedisStore.class);
 *   }
 * }
 * }</pre>
 *
 * <p>An exception is exact: a freedom that the module does not need, and a cycle that is not there, fail too.
 *
 * <p>All tests share an instance: to read the classes takes far longer than to check them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureRules {

    /** The most classes of a cycle that a reader can take in at once. */
    private static final int LARGEST_CYCLE = 3;

    private final JavaClasses main;
    private final Set<Freedom> freedoms;

    /** A rule that does not hold for a module, because of what the module is for. */
    public enum Freedom {
        /** It tells the time of day to people, or takes a seed of it: it decides nothing by it. */
        WALL_CLOCK,
        /** It is written for a library of logging, or sets one up. */
        LOGGING,
        /** It is written for a framework. */
        FRAMEWORK,
        /** It runs parts of the engine. */
        ENGINE
    }

    /**
     * Rules for the module of this class.
     *
     * @param anyMainClass a class of the module's main code: all that lies beside it is checked
     * @param freedoms the rules that do not hold for it
     */
    protected ArchitectureRules(Class<?> anyMainClass, Freedom... freedoms) {
        this.main = new ClassFileImporter()
                .importUrl(anyMainClass.getProtectionDomain().getCodeSource().getLocation());
        this.freedoms = Set.of(freedoms);
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
        check(
                noClasses()
                        .should()
                        .accessTargetWhere(WALL_CLOCK)
                        .because("its steps must not end or revive a lease, or a wait:"
                                + " take the injected monotonic clock"),
                Freedom.WALL_CLOCK);
    }

    @Test
    void loggingGoesThroughTheSystemLogger() {
        check(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..")
                        .because("the application chooses where its logs go: take System.Logger"),
                Freedom.LOGGING);
    }

    @Test
    void noFrameworkIsNeeded() {
        check(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.springframework..", "org.aopalliance..", "jakarta..", "io.micronaut..")
                        .because("it is for all of them:"
                                + " a framework has a module of its own, which implements an interface"),
                Freedom.FRAMEWORK);
    }

    @Test
    void storesAndToolsDoNotReachIntoTheEngine() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("dev.interlock", "dev.interlock.engine..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("dev.interlock.engine..")
                        .because("its door is the public API"),
                Freedom.ENGINE);
    }

    private void check(ArchRule rule, Freedom freedom) {
        if (freedoms.contains(freedom)) {
            assertThat(rule.allowEmptyShould(true).evaluate(main).hasViolation())
                    .as("needs its freedom %s; otherwise take it away", freedom)
                    .isTrue();
        } else {
            rule.allowEmptyShould(true).check(main);
        }
    }

    /**
     * The cycles of top-level classes that stay, by simple names, each with a comment that says why. Each has at most
     * three classes. By default there is none: a reader can take the classes one after the other, each after those that
     * it uses.
     */
    protected Set<Set<String>> cycles() {
        return Set.of();
    }

    /**
     * The cycles of packages that stay, by their names, each with a comment that says why. By default there is none.
     */
    protected Set<Set<String>> cyclesOfPackages() {
        return Set.of();
    }

    @Test
    void topLevelClasses_haveNoCycleButThoseStated() {
        assertNoCycleBut(cycles(), ArchitectureRules::topLevelClass);
    }

    @Test
    void statedCycles_haveAtMostThreeClasses() {
        assertThat(cycles()).allSatisfy(cycle -> assertThat(cycle).hasSizeLessThanOrEqualTo(LARGEST_CYCLE));
    }

    @Test
    void packages_haveNoCycleButThoseStated() {
        assertNoCycleBut(cyclesOfPackages(), JavaClass::getPackageName);
    }

    private void assertNoCycleBut(Set<Set<String>> stated, Function<JavaClass, String> part) {
        Map<String, Set<String>> graph = Cycles.graph(main.that(OURS), part);
        Set<Set<String>> found = Cycles.of(graph);

        assertThat(found)
                .as(() -> "cycles; those that are not stated are made of: "
                        + found.stream()
                                .filter(cycle -> !stated.contains(cycle))
                                .map(cycle -> edges(cycle, graph))
                                .toList())
                .isEqualTo(stated);
    }

    private static List<String> edges(Set<String> cycle, Map<String, Set<String>> graph) {
        return cycle.stream()
                .flatMap(from -> graph.getOrDefault(from, Set.of()).stream()
                        .filter(cycle::contains)
                        .map(to -> from + " -> " + to))
                .toList();
    }

    /** Simple names are enough: no module has one twice. */
    private static String topLevelClass(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getSimpleName();
    }

    private static final DescribedPredicate<JavaClass> OURS = JavaClass.Predicates.resideInAPackage("dev.interlock..");

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
