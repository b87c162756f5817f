package dev.interlock.jdbc;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.interlock.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The rules for all modules, and those of this one: neither packages nor classes depend on each other in a cycle. */
class JdbcArchitectureTest extends ArchitectureRules {

    JdbcArchitectureTest() {
        super(JdbcStore.class, false);
    }

    @Test
    void packages_haveNoCycle() {
        slices().matching("dev.interlock.(**)").should().beFreeOfCycles().check(main());
    }

    @Test
    void topLevelClasses_haveNoCycle() {
        slices().assignedFrom(TOP_LEVEL_CLASSES).should().beFreeOfCycles().check(main());
    }

    private static final SliceAssignment TOP_LEVEL_CLASSES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("dev.interlock.jdbc")
                    ? SliceIdentifier.of(topLevel(type).getName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    };

    private static JavaClass topLevel(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }
}
