package dev.interlock.jdbc;

/**
 * A step to be run beside others.
 *
 * @param row what to do with each row that it finds, if it finds any
 */
record Command(Step step, Values values, Session.Row<?> row) {

    Command(Step step, Values values) {
        this(step, values, found -> true);
    }
}
