package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** An outage of the whole store, for all clients. */
enum OutageFault {
    /** The server is killed, and started again with its data. */
    RESTART(1) {
        @Override
        void begin(Site site) {
            site.kill();
        }

        @Override
        void end(Site site) {
            site.restart();
        }
    },
    /** The server's processes are stopped. */
    FREEZE_1(1),
    FREEZE_3(3),
    FREEZE_10(10),
    /** Nothing arrives, in either direction, and nobody is told. */
    HOLE_1(1),
    HOLE_3(3),
    HOLE_10(10),
    /** Connections are reset, and new ones refused. */
    REFUSE_1(1),
    REFUSE_3(3),
    REFUSE_10(10);

    private final Duration length;

    OutageFault(int seconds) {
        length = Duration.ofSeconds(seconds);
    }

    static OutageFault of(String id) {
        return Arrays.stream(values())
                .filter(fault -> fault.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--fault must be one of " + ids() + ": " + id));
    }

    static String ids() {
        return Arrays.stream(values()).map(OutageFault::id).collect(Collectors.joining(", "));
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** From the beginning to the end; a restart takes longer by what the server needs to start. */
    Duration length() {
        return length;
    }

    /** Returns when the store is away. */
    void begin(Site site) {
        if (isFreeze()) {
            site.freeze();
        } else if (isHole()) {
            site.proxies().forEach(FaultProxy::blackHole);
        } else {
            site.proxies().forEach(FaultProxy::refuse);
            site.proxies().forEach(FaultProxy::reset);
        }
    }

    /** Brings it back. */
    void end(Site site) {
        if (isFreeze()) {
            site.thaw();
        } else {
            site.proxies().forEach(FaultProxy::heal);
        }
    }

    private boolean isFreeze() {
        return this == FREEZE_1 || this == FREEZE_3 || this == FREEZE_10;
    }

    private boolean isHole() {
        return this == HOLE_1 || this == HOLE_3 || this == HOLE_10;
    }
}
