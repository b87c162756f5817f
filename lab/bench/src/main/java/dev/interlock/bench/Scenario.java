package dev.interlock.bench;

import java.util.List;

/**
 * A row of the table about operations per second or their waits.
 *
 * @param id the row
 * @param title the title of the row
 * @param kind the kind of work
 * @param jvms how many workers
 * @param threads how many threads in each
 * @param names how many names they share
 * @param peers the peers that take part
 */
record Scenario(String id, String title, Work.Kind kind, int jvms, int threads, int names, List<PeerKind> peers) {

    private static final List<PeerKind> ALL = PeerKind.onRedis();
    private static final List<PeerKind> WITH_KINDS = List.of(PeerKind.REDISSON, PeerKind.INTERLOCK);
    private static final List<PeerKind> OURS = List.of(PeerKind.INTERLOCK, PeerKind.METERED);
    private static final List<PeerKind> RETAINED =
            List.of(PeerKind.LETTUCE, PeerKind.REDISSON, PeerKind.INTERLOCK, PeerKind.RETAINED);
    private static final List<PeerKind> EARLY =
            List.of(PeerKind.LETTUCE, PeerKind.REDISSON, PeerKind.INTERLOCK, PeerKind.EARLY);
    private static final List<PeerKind> REENTRANT =
            ALL.stream().filter(PeerKind::isReentrant).toList();

    /** All of them that are measured on Redis. */
    static List<Scenario> all() {
        return List.of(
                new Scenario("B1", "Free lock, 1 thread", Work.Kind.PAIRS, 1, 1, 1, ALL),
                new Scenario("B1E", "Free lock, 1 thread, released early", Work.Kind.PAIRS, 1, 1, 1, EARLY),
                new Scenario("B2", "Free locks, 64 threads on 64 names", Work.Kind.PAIRS, 1, 64, 64, ALL),
                new Scenario("B3", "Re-entry, 1 thread", Work.Kind.REENTRY, 1, 1, 1, REENTRANT),
                new Scenario("B4", "One lock, 100 threads, one JVM", Work.Kind.PAIRS, 1, 100, 1, ALL),
                new Scenario("B5", "One lock, 4 JVMs x 8 threads", Work.Kind.PAIRS, 4, 8, 1, ALL),
                new Scenario("B7", "tryLock(100 ms) on a held lock, 100 threads", Work.Kind.TIMED_TRY, 1, 100, 1, ALL),
                new Scenario("B9", "Read/write lock, 90:10, 16 threads", Work.Kind.READ_WRITE, 1, 16, 1, WITH_KINDS),
                new Scenario("B10", "Fair lock, 4 JVMs x 2 threads", Work.Kind.FAIR, 4, 2, 1, WITH_KINDS),
                new Scenario("B11", "Semaphore of 8, 32 threads", Work.Kind.PERMITS, 1, 32, 1, WITH_KINDS),
                new Scenario("B12", "5 free locks as one, 1 thread", Work.Kind.MULTI, 1, 1, 1, WITH_KINDS),
                new Scenario("M1", "Free lock, 1 thread, with and without metrics", Work.Kind.PAIRS, 1, 1, 1, OURS),
                new Scenario("R1", "Lock that nobody else wants, 1 thread", Work.Kind.PAIRS, 1, 1, 1, RETAINED),
                new Scenario("R2", "Lock that 2 JVMs take in turn", Work.Kind.HAND_OVER, 2, 1, 1, RETAINED));
    }

    /** The one that is measured on ZooKeeper. */
    static Scenario onZooKeeper() {
        List<PeerKind> peers = List.of(PeerKind.CURATOR, PeerKind.INTERLOCK);
        return new Scenario("Z4", "One lock, 4 JVMs x 8 threads", Work.Kind.PAIRS, 4, 8, 1, peers);
    }

    /** Those that are measured on etcd. */
    static List<Scenario> onEtcd() {
        List<PeerKind> peers = PeerKind.onEtcd();
        return List.of(
                new Scenario("E1", "Free lock, 1 thread", Work.Kind.PAIRS, 1, 1, 1, peers),
                new Scenario("E2", "One lock, 4 JVMs x 8 threads", Work.Kind.PAIRS, 4, 8, 1, peers),
                new Scenario("E3", "One lock, 2 JVMs x 1 thread", Work.Kind.PAIRS, 2, 1, 1, peers));
    }

    /** Those that are measured on PostgreSQL. */
    static List<Scenario> onSql() {
        List<PeerKind> peers = PeerKind.onSql();
        return List.of(
                new Scenario("S1", "Free lock, 1 thread", Work.Kind.PAIRS, 1, 1, 1, peers),
                new Scenario("S2", "One lock, 16 threads, one JVM", Work.Kind.PAIRS, 1, 16, 1, peers),
                new Scenario("S3", "Hand-over between 2 JVMs x 1 thread", Work.Kind.HAND_OVER, 2, 1, 1, peers));
    }

    /** The same for these peers only. */
    Scenario among(List<PeerKind> chosen) {
        return new Scenario(
                id,
                title,
                kind,
                jvms,
                threads,
                names,
                peers.stream().filter(chosen::contains).toList());
    }

    /** The same with at most so many JVMs. */
    Scenario withJvms(int most) {
        return new Scenario(id, title, kind, Math.min(jvms, most), threads, names, peers);
    }
}
