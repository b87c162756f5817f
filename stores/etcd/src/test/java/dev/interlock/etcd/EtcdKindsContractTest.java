package dev.interlock.etcd;

import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fair locks, semaphores and latches keep their contract. */
@Tag("long")
class EtcdKindsContractTest extends KindsContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }

    /** A claim that was woken may find something in its way again. */
    @Test
    void latch_setAnewBeforeAWokenClaimAsks_isWaitedForAgain() {
        LockId latch = new LockId(clients().name(), LockKind.LATCH);
        StoreClient counter = clients().raw();
        StoreClient waiter = clients().raw();
        counter.executed(counter.command(latch, new Command.SetCount(1)));
        Claim zero = waiter.claim(latch).inMode(new Mode.AwaitZero()).waiting(Duration.ZERO);
        waiter.busy(zero);
        counter.executed(counter.command(latch, new Command.CountDown()));
        await("the wake").until(() -> waiter.isWoken(zero));

        counter.executed(counter.command(latch, new Command.SetCount(1)));
        waiter.forgetWakes();

        waiter.busy(zero);
        counter.executed(counter.command(latch, new Command.CountDown()));
        await("the second wake").until(() -> waiter.isWoken(zero));
        waiter.granted(zero);
    }
}
