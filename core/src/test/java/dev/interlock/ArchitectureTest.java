package dev.interlock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Date;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The rules of the house for this module. The other modules inherit theirs from the test kit, which depends on this
 * one.
 */
class ArchitectureTest {

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.interlock");

    @Test
    void theStoreInterfaceKnowsNothingOfTheEngine() {
        noClasses()
                .that()
                .resideInAPackage("dev.interlock.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.interlock.engine..")
                .check(main);
    }

    @Test
    void theEngineHasOneDoor() {
        classes()
                .that()
                .resideInAPackage("dev.interlock.engine..")
                .and()
                .doNotHaveFullyQualifiedName("dev.interlock.engine.Engine")
                .and()
                .doNotHaveFullyQualifiedName("dev.interlock.engine.EngineConfig")
                .should()
                .notBePublic()
                .check(main);
    }

    /** A class can be understood after those that it uses: docs/internals/adr/0035-modules-and-packages.md. */
    @Test
    void theClassesOfTheEngineFormNoCycle() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new TopLevelClasses("dev.interlock.engine"))
                .should()
                .beFreeOfCycles()
                .check(main);
    }

    /** A slice for each top-level class of a package, with the classes nested in it. */
    private record TopLevelClasses(String packageName) implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass top = type;
            while (top.getEnclosingClass().isPresent()) {
                top = top.getEnclosingClass().get();
            }
            return top.getPackageName().equals(packageName)
                    ? SliceIdentifier.of(top.getSimpleName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "the top-level classes of " + packageName;
        }
    }

    @Test
    void nothingBeyondTheJdkIsNeeded() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.interlock..",
                        "java..",
                        "jdk.jfr..",
                        "org.jspecify.annotations..",
                        "com.google.errorprone.annotations..")
                .check(main);
    }

    /** One thread looks after all that becomes due: docs/internals/adr/0005-threads.md. */
    @Test
    void nothingArmsATimer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Timer.class, ScheduledExecutorService.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ScheduledExecutorService.class)
                .orShould()
                .callMethod(CompletableFuture.class, "orTimeout", long.class, TimeUnit.class)
                .orShould()
                .callMethod(CompletableFuture.class, "completeOnTimeout", Object.class, long.class, TimeUnit.class)
                .orShould()
                .callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class)
                .orShould()
                .callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class, Executor.class)
                .check(main);
    }

    @Test
    void loggingGoesThroughTheSystemLogger() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(main);
    }

    @Test
    void P10_theWallClockIsNotRead() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Instant")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.time\\.(Local|Zoned|Offset).*")
                .because("its steps must not end or revive a lease, or a wait: take the injected monotonic clock")
                .check(main);
    }
}
