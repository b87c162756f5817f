package dev.interlock.redis;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildMain;
import java.time.Duration;

/** Holds permits until it is killed. Arguments: the store's URI, the name, how many, the capacity, the lease. */
final class PermitsMain {

    private PermitsMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ChildMain parent = new ChildMain();
        try (Interlock client = Interlock.builder(arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build()) {
            var lease = client.semaphore(arguments[1], Integer.parseInt(arguments[3]))
                    .acquire(Integer.parseInt(arguments[2]), LeaseTerm.renewing(Duration.parse(arguments[4])));
            parent.say("held " + lease.token());
            parent.hearOrDie();
        }
    }
}
