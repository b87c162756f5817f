package dev.interlock.jdbc;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of the house for this module. */
class JdbcArchitectureTest extends ArchitectureRules {

    JdbcArchitectureTest() {
        super(JdbcStore.class, false);
    }
}
