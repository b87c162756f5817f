package dev.interlock.testkit.contract;

import java.util.UUID;

/** Names of locks that no other test uses. */
final class ProcessNames {

    private ProcessNames() {}

    static String next() {
        return "processes-" + UUID.randomUUID();
    }
}
