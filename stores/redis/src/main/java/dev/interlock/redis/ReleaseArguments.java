package dev.interlock.redis;

import dev.interlock.redis.command.Script;
import dev.interlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;

/** The scripts, keys and arguments of a release, for each kind. */
final class ReleaseArguments {

    private final Claim claim;
    private final Settings settings;
    private final Keys keys;

    private ReleaseArguments(Claim claim, Settings settings) {
        this.claim = claim;
        this.settings = settings;
        this.keys = new Keys(claim.id().name());
    }

    static ScriptArguments of(Claim claim, Settings settings) {
        ReleaseArguments args = new ReleaseArguments(claim, settings);
        return switch (claim.id().kind()) {
            case LOCK -> claim.forced() ? args.force() : claim.lapses() ? args.lapse() : args.release();
            case READ_WRITE -> args.shared();
            case SEMAPHORE -> args.permits();
            case LATCH -> args.leave();
        };
    }

    private ScriptArguments release() {
        List<byte[]> arguments = new ArrayList<>(List.of(owner()));
        if (claim.mode().inOrder() && !settings.redissonInterop()) {
            arguments.add(Bytes.of(settings.fenceMillis(Settings.millis(claim.lease()))));
            return ScriptArguments.of(Script.RELEASE, List.of(keys.lock(), keys.waiters(), keys.fence()), arguments);
        }
        return ScriptArguments.of(Script.RELEASE, List.of(keys.lock(), keys.waiters()), told(arguments));
    }

    private ScriptArguments lapse() {
        List<byte[]> arguments = new ArrayList<>(List.of(owner()));
        addLapse(arguments);
        return ScriptArguments.of(Script.LAPSE, List.of(keys.lock(), keys.waiters(), keys.fence()), told(arguments));
    }

    private ScriptArguments force() {
        List<byte[]> arguments = new ArrayList<>(List.of(owner(), Bytes.of(Settings.FORCED_LIFE.toMillis())));
        return ScriptArguments.of(Script.FORCE, List.of(keys.lock(), keys.waiters(), keys.forced()), told(arguments));
    }

    private List<byte[]> told(List<byte[]> arguments) {
        if (settings.redissonInterop()) {
            arguments.add(keys.redissonChannel());
        }
        return arguments;
    }

    private ScriptArguments shared() {
        byte[] channel = settings.redissonInterop() ? keys.redissonSharedChannel() : Bytes.EMPTY;
        return finish(
                Script.FINISH_SHARED,
                List.of(keys.shared(), keys.forced(claim.owner()), keys.sharedWaiters(), keys.lock()),
                keys.sharesPrefix(),
                channel);
    }

    private ScriptArguments permits() {
        return finish(
                Script.FINISH_PERMITS,
                List.of(keys.semaphore(), keys.forced(claim.owner()), keys.semaphoreWaiters()),
                Bytes.EMPTY,
                Bytes.EMPTY);
    }

    private ScriptArguments finish(Script script, List<byte[]> ofKind, byte[] prefix, byte[] channel) {
        List<byte[]> all = new ArrayList<>(ofKind);
        List<byte[]> arguments = new ArrayList<>(List.of(name(), owner(), markLife(), prefix, channel));
        if (claim.lapses()) {
            all.add(keys.fence());
            addLapse(arguments);
        }
        return ScriptArguments.of(script, all, arguments);
    }

    private void addLapse(List<byte[]> arguments) {
        long millis = Settings.millis(claim.lease());
        arguments.add(Bytes.of(claim.owner().left().value()));
        arguments.add(Bytes.of(millis));
        arguments.add(Bytes.of(settings.fenceMillis(millis)));
    }

    private ScriptArguments leave() {
        return ScriptArguments.of(
                Script.LATCH,
                List.of(keys.latch(), keys.fence(), keys.latchWaiters()),
                List.of(name(), owner(), Bytes.of("leave"), Bytes.of(0), Bytes.of(0)));
    }

    private byte[] markLife() {
        return claim.forced() ? Bytes.of(Settings.FORCED_LIFE.toMillis()) : Bytes.EMPTY;
    }

    private byte[] name() {
        return Bytes.of(claim.id().name());
    }

    private byte[] owner() {
        return Bytes.of(claim.owner().value());
    }
}
