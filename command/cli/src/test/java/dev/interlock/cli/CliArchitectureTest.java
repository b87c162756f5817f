package dev.interlock.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/**
 * The packages and the classes of the command have no cycles. The other rules of the modules do not hold here: the
 * command shows the time of day, and silences the JDK's logging.
 */
final class CliArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void packages_haveNoCycle() {
        slices().matching("dev.interlock.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void topLevelClasses_haveNoCycle() {
        slices().assignedFrom(TOP_LEVEL_CLASSES).should().beFreeOfCycles().check(MAIN);
    }

    private static final SliceAssignment TOP_LEVEL_CLASSES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass outer = type;
            while (outer.getEnclosingClass().isPresent()) {
                outer = outer.getEnclosingClass().get();
            }
            return outer.getName().startsWith("dev.interlock.cli")
                    ? SliceIdentifier.of(outer.getName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    };
}
