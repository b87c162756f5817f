package dev.interlock.quorum;

import dev.interlock.spi.Tether;
import java.util.List;

/** Holds as long as a majority of stores keep their claims: those of the grants that the claim was won with. */
record MajorityTether(List<Tether> tethers, int majority) implements Tether {

    MajorityTether {
        tethers = List.copyOf(tethers);
    }

    /** None at all if a majority hangs on nothing. */
    static Tether of(List<Tether> tethers, int majority) {
        long none = tethers.stream().filter(Tether.NONE::equals).count();
        return none >= majority ? NONE : new MajorityTether(tethers, majority);
    }

    @Override
    public long leftNanos() {
        long[] left = tethers.stream().mapToLong(Tether::leftNanos).sorted().toArray();
        // So many of them last for as long as this one, or longer.
        return left[left.length - majority];
    }
}
