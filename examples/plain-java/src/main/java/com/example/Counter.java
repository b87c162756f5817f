package com.example;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import java.nio.file.Files;
import java.nio.file.Path;

/** Adds to the number in a file. Start it several times at once: no increment is lost. */
public class Counter {

    /** The store, for example {@code jdbc:sqlite:locks.db} or {@code redis://localhost:6379}; the file; how often. */
    public static void main(String[] args) throws Exception {
        String store = args[0];
        Path file = Path.of(args[1]);
        int times = Integer.parseInt(args[2]);

        try (Interlock interlock = Interlock.connect(store)) {
            DistributedLock lock = interlock.lock("counter");
            for (int i = 0; i < times; i++) {
                lock.lock();
                try {
                    int number = Integer.parseInt(Files.readString(file));
                    Files.writeString(file, Integer.toString(number + 1));
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
