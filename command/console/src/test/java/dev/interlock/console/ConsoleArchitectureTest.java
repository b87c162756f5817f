package dev.interlock.console;

import dev.interlock.testkit.arch.ArchitectureRules;

class ConsoleArchitectureTest extends ArchitectureRules {

    ConsoleArchitectureTest() {
        super(Console.class, true);
    }
}
