package dev.interlock.quorum;

import dev.interlock.spi.Tether;
import java.util.List;

/** Holds as long as a majority of stores keep their claims: those of the grants that the claim was won with. */
record MajorityTether(List<Tether> tethers, int majority) implements Tether {

    MajorityTether {
        tethers = List.copyOf(tethers);
    }

    @Override
    public long leftNanos() {
        long[] left = tethers.stream().mapToLong(Tether::leftNanos).sorted().toArray();
        // So many of them last for as long as this one, or longer.
        return left[left.length - majority];
    }
}
