package dev.interlock.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules that all modules share, and those about the packages of this one. */
class RedisArchitectureTest extends ArchitectureRules {

    private static final String ROOT = "dev.interlock.redis";

    RedisArchitectureTest() {
        super(RedisStore.class);
    }

    /** A package may use those that stand further to the left; the root package uses all of them. */
    @Test
    void packages_dependOnEachOtherInOneDirection() {
        String[] layers = {"format", "command", "connection", "topology", "wake", "config", "operation"};
        for (int i = 0; i < layers.length; i++) {
            for (int above = i + 1; above < layers.length; above++) {
                noClasses()
                        .that()
                        .resideInAPackage(ROOT + "." + layers[i])
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(ROOT, ROOT + "." + layers[above])
                        .check(main());
            }
        }
    }

    /** Two pairs know each other: a command the server that it was sent to, and a builder what it builds. */
    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(Set.of("Command", "Node"), Set.of("RedisStore", "RedisStoreBuilder"));
    }
}
