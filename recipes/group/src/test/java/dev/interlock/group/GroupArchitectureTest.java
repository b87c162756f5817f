package dev.interlock.group;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of the house for this module. */
class GroupArchitectureTest extends ArchitectureRules {

    GroupArchitectureTest() {
        super(MultiLock.class);
    }
}
