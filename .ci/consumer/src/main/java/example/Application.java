package example;

import dev.interlock.Interlock;
import dev.interlock.Lease;

/** Takes a lock in an SQLite file, and prints its token. */
public final class Application {

    private Application() {}

    /** The argument: the file. */
    public static void main(String[] args) throws InterruptedException {
        try (Interlock interlock = Interlock.connect("jdbc:sqlite:" + args[0]);
                Lease lease = interlock.lock("orders:42").acquire()) {
            System.out.println("token " + lease.token());
        }
    }
}
