package dev.interlock.cli;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one: the command shows the time of day, and silences the JDK's logging. */
class CliArchitectureTest extends ArchitectureRules {

    CliArchitectureTest() {
        super(Main.class, Freedom.WALL_CLOCK, Freedom.LOGGING);
    }
}
