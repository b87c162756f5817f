package dev.interlock.redis;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildMain;

/** Threads that each wait for a fair lock once. Arguments: the store's URI, the name, how many threads. */
final class FairMain {

    private FairMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ChildMain parent = new ChildMain();
        parent.dieWithParent();
        try (Interlock client = Interlock.builder(arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build()) {
            DistributedLock lock =
                    client.lock(arguments[1], LockOptions.builder().fair(true).build());
            Thread[] threads = new Thread[Integer.parseInt(arguments[2])];
            for (int i = 0; i < threads.length; i++) {
                String name = ProcessHandle.current().pid() + "-" + i;
                threads[i] = new Thread(() -> lock.run(() -> parent.say("held " + name)), name);
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        parent.say("done");
        System.exit(0);
    }
}
