package dev.interlock.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * The work of one worker.
 *
 * @param peer the peer whose client it opens
 * @param kind the kind of work
 * @param uri the server
 * @param threads how many threads
 * @param names how many names they share; thread i uses name i modulo this number
 * @param prefix how the names begin
 * @param guard the file that the workers of one peer share
 * @param number unique among them, from 1
 */
record Work(PeerKind peer, Kind kind, String uri, int threads, int names, String prefix, Path guard, int number) {

    /** What the threads do. */
    enum Kind {
        /** Lock and unlock, again and again. */
        PAIRS,
        /** Lock and unlock inside of a hold. */
        REENTRY,
        /** Lock and unlock a fair lock, again and again, and see who overtakes whom. */
        FAIR,
        /** Of ten pairs one of the write side of a read/write lock, nine of the read side. */
        READ_WRITE,
        /** Take turns: hold a lock for a while, release it, and let another one have it before asking again. */
        HAND_OVER,
        /** Acquire and release one permit of a semaphore, again and again. */
        PERMITS,
        /** Lock and unlock several locks as one, again and again. */
        MULTI,
        /** All threads at the same time wait 100 ms for a lock that another client holds. */
        TIMED_TRY
    }

    /** What each thread locks. */
    Flavour flavour() {
        return switch (kind) {
            case FAIR -> Flavour.FAIR;
            case READ_WRITE -> Flavour.WRITE;
            case PERMITS -> Flavour.PERMIT;
            case MULTI -> Flavour.MULTI;
            case PAIRS, HAND_OVER, REENTRY, TIMED_TRY -> Flavour.PLAIN;
        };
    }

    /** As arguments of a command line. */
    List<String> toArguments() {
        return List.of(
                peer.name(),
                kind.name(),
                uri,
                Integer.toString(threads),
                Integer.toString(names),
                prefix,
                guard.toString(),
                Integer.toString(number));
    }

    /** Reads {@link #toArguments}. */
    static Work parse(String... arguments) {
        return new Work(
                PeerKind.valueOf(arguments[0]),
                Kind.valueOf(arguments[1]),
                arguments[2],
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                arguments[5],
                Path.of(arguments[6]),
                Integer.parseInt(arguments[7]));
    }

    /** The name that this thread locks. */
    String name(int thread) {
        return prefix + ':' + thread % names;
    }
}
