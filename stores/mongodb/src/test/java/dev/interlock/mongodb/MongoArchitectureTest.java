package dev.interlock.mongodb;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class MongoArchitectureTest extends ArchitectureRules {

    MongoArchitectureTest() {
        super(MongoStore.class);
    }
}
