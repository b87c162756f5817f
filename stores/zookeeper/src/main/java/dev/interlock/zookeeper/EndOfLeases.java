package dev.interlock.zookeeper;

/**
 * When the leases of a client end that has lost its connection: nobody knows then whether its session still lives. They
 * always end at once if the servers say that the session has ended.
 */
public enum EndOfLeases {
    /**
     * When half of the session time-out has passed since the last request was sent that the leader has answered. That
     * is before the servers can end the session, so no other client can hold the lock yet. The default.
     */
    AT_HALF_SESSION(50, false),
    /**
     * As soon as Curator reports {@code SUSPENDED}: each break of the connection costs the leases, even if the client
     * connects again at once. Otherwise as {@link #AT_HALF_SESSION}.
     */
    AT_SUSPENDED(50, true),
    /**
     * When the whole of the session time-out has passed, or Curator reports {@code LOST}, as its recipes want it. The
     * leases outlive longer breaks and elections of a leader. But the servers may end the session a moment before, and
     * another client hold the lock meanwhile: only the fencing token keeps the late writes out.
     */
    AT_LOST(100, false);

    final int percent;
    final boolean atSuspended;

    EndOfLeases(int percent, boolean atSuspended) {
        this.percent = percent;
        this.atSuspended = atSuspended;
    }
}
