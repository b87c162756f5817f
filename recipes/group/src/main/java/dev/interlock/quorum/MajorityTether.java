package dev.interlock.quorum;

import dev.interlock.spi.Tether;
import java.util.List;

/** Lasts as long as a majority of the stores keep their claims: those whose grants made up the majority. */
record MajorityTether(List<Tether> tethers, int majority) implements Tether {

    MajorityTether {
        tethers = List.copyOf(tethers);
    }

    /** No tether if a majority of the claims have none. */
    static Tether of(List<Tether> tethers, int majority) {
        long none = tethers.stream().filter(Tether.NONE::equals).count();
        return none >= majority ? NONE : new MajorityTether(tethers, majority);
    }

    @Override
    public long leftNanos() {
        long[] left = tethers.stream().mapToLong(Tether::leftNanos).sorted().toArray();
        // A majority of the tethers last for this long, or longer.
        return left[left.length - majority];
    }
}
