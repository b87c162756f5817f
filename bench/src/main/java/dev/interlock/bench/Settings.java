package dev.interlock.bench;

import java.time.Duration;
import java.util.List;

/**
 * How long and how much.
 *
 * @param peers who takes part
 * @param rounds how often each peer is measured, in turn
 * @param time for how long each time
 * @param warmUp for how long each peer works before the first round
 * @param warmOperations so often as that, too, or ten times that long: on a busy machine time alone does not compile a
 *     peer's code
 * @param pause for how long a peer works, unmeasured, before each measurement: its code and the processor's caches are
 *     warm again
 * @param jvms the most JVMs of a scenario
 * @param leases how many leases the renewal row holds
 * @param ttl how long the store keeps each without a renewal
 * @param starts how many fresh JVMs the weight row starts for each peer
 * @param here whether workers of one-JVM scenarios run in this JVM
 */
record Settings(
        List<PeerKind> peers,
        int rounds,
        Duration time,
        Duration warmUp,
        long warmOperations,
        Duration pause,
        int jvms,
        int leases,
        Duration ttl,
        int starts,
        boolean here) {

    /** What the targets are judged by. */
    static Settings full() {
        return new Settings(
                List.of(PeerKind.values()),
                3,
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                30_000,
                Duration.ofMillis(500),
                Integer.MAX_VALUE,
                10_000,
                Duration.ofSeconds(6),
                7,
                false);
    }

    /**
     * The shortest run of everything: it shows that the bench works, and that exclusion holds, but no figure worth
     * having.
     */
    static Settings smoke() {
        return new Settings(
                List.of(PeerKind.values()),
                1,
                Duration.ofMillis(120),
                Duration.ofMillis(60),
                1,
                Duration.ofMillis(10),
                2,
                200,
                Duration.ofMillis(900),
                1,
                true);
    }

    Settings withPeers(List<PeerKind> chosen) {
        return new Settings(chosen, rounds, time, warmUp, warmOperations, pause, jvms, leases, ttl, starts, here);
    }

    Settings withRounds(int number) {
        return new Settings(peers, number, time, warmUp, warmOperations, pause, jvms, leases, ttl, starts, here);
    }

    Settings withTime(Duration measured) {
        return new Settings(peers, rounds, measured, warmUp, warmOperations, pause, jvms, leases, ttl, starts, here);
    }

    Settings withWarmUp(Duration before) {
        return new Settings(peers, rounds, time, before, warmOperations, pause, jvms, leases, ttl, starts, here);
    }
}
