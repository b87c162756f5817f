package dev.interlock.zookeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ZooKeeperArchitectureTest extends ArchitectureRules {

    private static final String API = ZooKeeperStore.class.getPackageName();

    ZooKeeperArchitectureTest() {
        super(ZooKeeperStore.class);
    }

    /** The store and its builder are one thing to their user, and name each other. */
    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(Set.of("ZooKeeperStore", "ZooKeeperStoreBuilder"));
    }

    @Test
    void theApiNamesNoInternalType() {
        methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage(API)
                .should(NAME_NO_INTERNAL_TYPE)
                .check(main());
    }

    private static final ArchCondition<JavaMethod> NAME_NO_INTERNAL_TYPE =
            new ArchCondition<>("name no internal type") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    method.getAllInvolvedRawTypes().stream()
                            .filter(type -> type.getPackageName().startsWith(API + '.') || isHidden(type))
                            .forEach(type -> events.add(SimpleConditionEvent.violated(
                                    method, method.getFullName() + " names " + type.getName())));
                }
            };

    private static boolean isHidden(JavaClass type) {
        return type.getPackageName().equals(API) && !type.getModifiers().contains(JavaModifier.PUBLIC);
    }
}
