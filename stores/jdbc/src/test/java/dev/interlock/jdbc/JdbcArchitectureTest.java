package dev.interlock.jdbc;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules for all modules, and those of this one: neither packages nor classes depend on each other in a cycle. */
class JdbcArchitectureTest extends ArchitectureRules {

    JdbcArchitectureTest() {
        super(JdbcStore.class);
    }
}
