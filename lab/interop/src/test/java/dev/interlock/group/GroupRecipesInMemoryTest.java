package dev.interlock.group;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import java.util.EnumSet;
import java.util.Set;

/** The table of groups and upgrades on the store in memory: each day but those that are far. */
class GroupRecipesInMemoryTest extends GroupRecipesContract {

    private final MemoryStore memory = new MemoryStore();

    @Override
    protected LockStore openStore() {
        return memory.session();
    }

    @Override
    protected Set<Day> usualDays() {
        return EnumSet.complementOf(EnumSet.of(Day.FAR, Day.FAR_BUSY_AND_WAITS, Day.FAR_BUSY_AND_TRIES));
    }
}
