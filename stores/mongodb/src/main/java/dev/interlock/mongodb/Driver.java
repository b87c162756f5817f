package dev.interlock.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.cursor.TimeoutMode;
import dev.interlock.support.OldDriver;

/** The least version of the driver that the store works with: the first that limits the time of a whole command. */
final class Driver {

    private static final String LEAST = "5.2.0";

    private Driver() {}

    /**
     * Checks that the driver is new enough, before anything of it is used.
     *
     * @throws IllegalStateException if it is too old
     */
    static void require() {
        try {
            var unused = TimeoutMode.class;
        } catch (NoClassDefFoundError e) {
            throw OldDriver.refused("org.mongodb:mongodb-driver-sync", LEAST, "mongodb.version", MongoClient.class, e);
        }
    }
}
