package dev.interlock.testkit.process;

import java.util.UUID;

/** Names of locks that no other test uses. */
public final class ProcessNames {

    private ProcessNames() {}

    public static String next() {
        return "processes-" + UUID.randomUUID();
    }
}
