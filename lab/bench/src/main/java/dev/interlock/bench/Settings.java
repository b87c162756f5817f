package dev.interlock.bench;

import java.time.Duration;
import java.util.List;

/**
 * The sizes and durations of a run.
 *
 * @param peers the peers that take part
 * @param rounds how often each peer is measured, in turn
 * @param time the duration of each measurement
 * @param warmUp the duration for which each peer works before the first round
 * @param warmOperations the least number of operations of the warm-up, which lasts at most ten times as long for their
 *     sake: on a busy machine a duration alone does not compile a peer's code
 * @param pause the duration for which a peer works before each measurement, to warm up its code and the processor's
 *     caches again
 * @param jvms the most JVMs of a scenario
 * @param leases how many leases the renewal row holds
 * @param ttl the length of these leases
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
