package dev.interlock.quorum;

import dev.interlock.spi.Tether;
import java.util.List;
import java.util.function.ToLongFunction;

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
        return ofAMajority(Tether::leftNanos);
    }

    @Override
    public long lengthNanos() {
        return ofAMajority(Tether::lengthNanos);
    }

    /** A majority of the tethers have this much, or more. */
    private long ofAMajority(ToLongFunction<Tether> nanos) {
        long[] all = tethers.stream().mapToLong(nanos).sorted().toArray();
        return all[all.length - majority];
    }
}
