package dev.interlock.cli.demo;

import dev.interlock.cli.common.Table;

/** The table at the end: the expected and the actual numbers. */
final class Report {

    private final Table table = new Table("", "expected", "found", "");
    private boolean right = true;

    /** Adds a row. */
    void row(String what, String expected, String found, boolean asExpected) {
        table.row(what, expected, found, asExpected ? "ok" : "WRONG");
        right &= asExpected;
    }

    /** Adds a row with a number that must equal the expected one. */
    void row(String what, long expected, long found) {
        row(what, String.valueOf(expected), String.valueOf(found), expected == found);
    }

    /** Whether every number is as expected. */
    boolean isRight() {
        return right;
    }

    String text() {
        return table.text();
    }
}
