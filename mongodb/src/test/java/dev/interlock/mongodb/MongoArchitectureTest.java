package dev.interlock.mongodb;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of the house for this module. */
class MongoArchitectureTest extends ArchitectureRules {

    MongoArchitectureTest() {
        super(MongoStore.class, false);
    }
}
