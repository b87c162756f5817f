package dev.interlock.jdbc;

import dev.interlock.Interlock;

/** Waits twice for a lock in a file, and prints what came of it. */
final class SqliteLibraryMain {

    private SqliteLibraryMain() {}

    public static void main(String[] arguments) {
        try (Interlock interlock = Interlock.connect("sqlite:" + arguments[0])) {
            for (int i = 0; i < 2; i++) {
                try {
                    interlock.lock("n").run(() -> {});
                    System.out.println("held");
                } catch (RuntimeException e) {
                    System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
                }
            }
        }
    }
}
