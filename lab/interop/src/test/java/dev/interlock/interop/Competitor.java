package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.redisson.api.RLock;

/** Who takes part in a {@link Competition}, with a lock of its library. */
sealed interface Competitor {

    /** How it is locked and unlocked. */
    Lock lock();

    /** Locks it for so long, and returns. */
    void lockFor(Duration lease);

    /** Whether a hold of the calling thread has ended by its time. */
    boolean isOver();

    /** After {@link #isOver}: what the thread still has of the hold is thrown away. */
    void forget();

    /** A lock of any library, that is locked and unlocked and nothing else. */
    record Plain(Lock lock) implements Competitor {
        @Override
        public void lockFor(Duration lease) {
            throw new UnsupportedOperationException("A lock without leases: " + lock);
        }

        @Override
        public boolean isOver() {
            throw new UnsupportedOperationException("A lock without leases: " + lock);
        }

        @Override
        public void forget() {
            throw new UnsupportedOperationException("A lock without leases: " + lock);
        }
    }

    /** A lock of ours. */
    record Ours(DistributedLock lock) implements Competitor {
        @Override
        public void lockFor(Duration lease) {
            lock.lock(LeaseTerm.fixed(lease));
        }

        @Override
        public boolean isOver() {
            return !lock.isHeldByCurrentThread();
        }

        @Override
        public void forget() {
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }
    }

    /** A lock of Redisson's. */
    record Theirs(RLock lock) implements Competitor {
        @Override
        public void lockFor(Duration lease) {
            lock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean isOver() {
            return !lock.isHeldByCurrentThread();
        }

        @Override
        public void forget() {
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }
}
