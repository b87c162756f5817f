package dev.interlock.testkit.contract;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.testkit.process.ChildMain;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A process that says what time it is and holds a lock with a renewing lease (URI, name, length), and does what it is told: check, told, release; and the same of another lock that its thread owns: own, unlock. */
final class HoldingChild {

    private final ChildMain parent = new ChildMain();
    private final Queue<LossCause> told = new ConcurrentLinkedQueue<>();
    private final Lease lease;
    private final DistributedLock owned;
    private final LeaseTerm term;

    private HoldingChild(Interlock client, String name, Duration ttl) throws InterruptedException {
        term = LeaseTerm.renewing(ttl);
        owned = client.lock(name + "-owned");
        parent.say("asking at " + System.currentTimeMillis());
        lease = client.lock(name).acquire(term);
        lease.onLost(told::add);
        parent.say("held " + lease.token());
    }

    public static void main(String[] arguments) throws Exception {
        Interlock client = Interlock.connect(arguments[0]);
        new HoldingChild(client, arguments[1], Duration.parse(arguments[2])).obey();
    }

    private void obey() throws InterruptedException {
        while (true) {
            switch (parent.hearOrDie()) {
                case "check" -> parent.say("checked " + lease.isValid() + " " + failureOfCheck());
                case "told" -> tell();
                case "own" -> {
                    owned.lock(term);
                    parent.say("owned " + owned.remainingLease());
                }
                case "unlock" -> parent.say("unlocked " + outcomeOfUnlock());
                case "release" -> parent.say("released " + lease.release());
                default -> throw new IllegalArgumentException("check, told, release, own or unlock");
            }
        }
    }

    private String outcomeOfUnlock() {
        try {
            owned.unlock();
            return "normally";
        } catch (LockLostException e) {
            return "LockLostException " + e.lossCause();
        }
    }

    private String failureOfCheck() {
        try {
            lease.ensureValid();
            return "valid";
        } catch (IllegalMonitorStateException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    /** The callback runs on another thread, soon. */
    private void tell() throws InterruptedException {
        for (int i = 0; i < 200 && told.isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        parent.say("told " + told.size() + " " + told.peek());
    }
}
