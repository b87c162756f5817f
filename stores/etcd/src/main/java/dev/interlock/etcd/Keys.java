package dev.interlock.etcd;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.PercentEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a store; docs/internals/etcd-format.md lists them. A slash and a percent sign in the name of a lock are
 * percent-encoded, so that no name's keys are among those of another.
 *
 * @param path the beginning of all keys
 */
record Keys(String path) {

    /** What all keys of this kind begin with, before the name. */
    String of(LockKind kind) {
        return path
                + switch (kind) {
                    case LOCK -> "/";
                    case READ_WRITE -> "%rw/";
                    case SEMAPHORE -> "%semaphore/";
                    case LATCH -> "%latch/";
                };
    }

    /** What all names that begin with this text have in common. */
    String of(LockKind kind, String beginning) {
        return of(kind) + beginning.replace("%", "%25").replace("/", "%2F");
    }

    /** What the keys of the claims of a name begin with. The key itself has the state of a semaphore or a latch. */
    String of(LockId id) {
        return of(id.kind(), id.name()) + '/';
    }

    /** Which name this key belongs to; null if it is none of this kind's. */
    @Nullable
    LockId idOf(LockKind kind, String key) {
        String before = of(kind);
        int slash = key.startsWith(before) ? key.indexOf('/', before.length()) : -1;
        try {
            return slash < 0
                    ? null
                    : new LockId(PercentEncoding.decode("A key", key.substring(before.length(), slash)), kind);
        } catch (IllegalArgumentException e) {
            // Somebody else's.
            return null;
        }
    }

    /** Says that the claim of this owner was ended by force. */
    String forced(OwnerId owner) {
        return forced(owner.value());
    }

    /** What these keys begin with, for all owners that begin so. */
    String forced(String owners) {
        return path + "%forced/" + owners;
    }

    /** The owner that such a key names. */
    String forcedOwner(String key) {
        return key.substring(forced("").length());
    }

    /** Says that this key of a claim must not be made any more. */
    String released(String key) {
        return path + "%released" + key.substring(path.length());
    }
}
