package dev.interlock.console;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class ConsoleArchitectureTest extends ArchitectureRules {

    ConsoleArchitectureTest() {
        super(Console.class);
    }
}
