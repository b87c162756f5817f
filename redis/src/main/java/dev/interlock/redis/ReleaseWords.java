package dev.interlock.redis;

import dev.interlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;

/** What a release is called with, for each kind. */
final class ReleaseWords {

    private final Claim claim;
    private final Settings settings;
    private final Keys keys;

    private ReleaseWords(Claim claim, Settings settings) {
        this.claim = claim;
        this.settings = settings;
        this.keys = new Keys(claim.id().name());
    }

    static Words of(Claim claim, Settings settings) {
        ReleaseWords words = new ReleaseWords(claim, settings);
        return switch (claim.id().kind()) {
            case LOCK -> claim.forced() ? words.force() : words.release();
            case READ_WRITE -> words.shared();
            case SEMAPHORE -> words.permits();
            case LATCH -> words.leave();
        };
    }

    private Words release() {
        List<byte[]> arguments = new ArrayList<>(List.of(owner()));
        if (claim.mode().inOrder() && !settings.redissonInterop()) {
            arguments.add(Text.of(settings.fenceMillis(Settings.millis(claim.lease()))));
            return Words.of(Script.RELEASE, List.of(keys.lock(), keys.waiters(), keys.fence()), arguments);
        }
        return Words.of(Script.RELEASE, List.of(keys.lock(), keys.waiters()), told(arguments));
    }

    private Words force() {
        List<byte[]> arguments = new ArrayList<>(List.of(owner(), Text.of(Settings.FORCED_LIFE.toMillis())));
        return Words.of(Script.FORCE, List.of(keys.lock(), keys.waiters(), keys.forced()), told(arguments));
    }

    private List<byte[]> told(List<byte[]> arguments) {
        if (settings.redissonInterop()) {
            arguments.add(keys.redissonChannel());
        }
        return arguments;
    }

    private Words shared() {
        byte[] channel = settings.redissonInterop() ? keys.redissonSharedChannel() : Text.EMPTY;
        return Words.of(
                Script.FINISH_SHARED,
                List.of(keys.shared(), keys.forced(claim.owner()), keys.sharedWaiters(), keys.lock()),
                List.of(name(), owner(), markLife(), keys.sharesPrefix(), channel));
    }

    private Words permits() {
        return Words.of(
                Script.FINISH_PERMITS,
                List.of(keys.semaphore(), keys.forced(claim.owner()), keys.semaphoreWaiters()),
                List.of(name(), owner(), markLife()));
    }

    private Words leave() {
        return Words.of(
                Script.LATCH,
                List.of(keys.latch(), keys.fence(), keys.latchWaiters()),
                List.of(name(), owner(), Text.of("leave"), Text.of(0), Text.of(0)));
    }

    private byte[] markLife() {
        return claim.forced() ? Text.of(Settings.FORCED_LIFE.toMillis()) : Text.EMPTY;
    }

    private byte[] name() {
        return Text.of(claim.id().name());
    }

    private byte[] owner() {
        return Text.of(claim.owner().value());
    }
}
