package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;

/** Two locks over one name, which know of each other's holds. */
final class EngineReadWriteLock implements DistributedReadWriteLock {

    private final EngineCore core;
    private final LockId id;
    private final EngineLock read;
    private final EngineLock write;

    EngineReadWriteLock(EngineCore core, ThreadHolds reads, ThreadHolds writes, LockId id, LockOptions options) {
        this.core = core;
        this.id = id;
        this.read = new EngineLock(core, LockSide.read(reads, writes), id, options);
        this.write = new EngineLock(core, LockSide.write(reads, writes), id, options);
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public DistributedLock readLock() {
        return read;
    }

    @Override
    public DistributedLock writeLock() {
        return write;
    }

    @Override
    public LockStatus inspect() {
        return new Administration(core).inspect(id);
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[name=" + id.printable() + "]";
    }
}
