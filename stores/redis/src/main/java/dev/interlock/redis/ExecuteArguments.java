package dev.interlock.redis;

import dev.interlock.redis.command.Script;
import dev.interlock.spi.Command;
import java.util.List;

/** The scripts, keys and arguments of a command, for each action. */
final class ExecuteArguments {

    private final Command command;
    private final Settings settings;
    private final Keys keys;

    private ExecuteArguments(Command command, Settings settings) {
        this.command = command;
        this.settings = settings;
        this.keys = new Keys(command.id().name());
    }

    /**
     * Returns the script, keys and arguments.
     *
     * @throws UnsupportedOperationException for a request to revoke
     */
    static ScriptArguments of(Command command, Settings settings) {
        ExecuteArguments args = new ExecuteArguments(command, settings);
        Command.Action action = command.action();
        if (action instanceof Command.Resize resize) {
            return args.resize(resize);
        } else if (action instanceof Command.AddPermits add) {
            return args.addPermits(add);
        } else if (action instanceof Command.KeepPermits keep) {
            return args.keepPermits(keep);
        } else if (action instanceof Command.SetCount set) {
            return args.latch("set", set.count());
        } else if (action instanceof Command.CountDown) {
            return args.latch("count", 0);
        }
        throw new UnsupportedOperationException("On Redis no holder can be asked to let go: " + command);
    }

    private ScriptArguments resize(Command.Resize resize) {
        return ScriptArguments.of(
                Script.RESIZE,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                List.of(name(), Bytes.of(resize.capacity()), lease(), fenceLife()));
    }

    private ScriptArguments addPermits(Command.AddPermits add) {
        return ScriptArguments.of(
                Script.ADD_PERMITS,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters(), keys.forced(command.owner())),
                List.of(
                        name(),
                        Bytes.of(add.more()),
                        lease(),
                        fenceLife(),
                        Bytes.of(add.capacity()),
                        owner(),
                        Bytes.of(Settings.FORCED_LIFE.toMillis())));
    }

    private ScriptArguments keepPermits(Command.KeepPermits keep) {
        return ScriptArguments.of(
                Script.KEEP_PERMITS,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                List.of(name(), owner(), Bytes.of(keep.count())));
    }

    /** The arguments behind the party are for those who wait. */
    private ScriptArguments latch(String verb, int count) {
        return ScriptArguments.of(
                Script.LATCH,
                List.of(keys.latch(), keys.fence(), keys.latchWaiters()),
                List.of(
                        name(),
                        owner(),
                        Bytes.of(verb),
                        Bytes.of(count),
                        lease(),
                        fenceLife(),
                        PartyCodec.encode(command.party()),
                        Bytes.EMPTY,
                        Bytes.of(Settings.PLACE.toMillis()),
                        Bytes.EMPTY));
    }

    private byte[] name() {
        return Bytes.of(command.id().name());
    }

    private byte[] owner() {
        return Bytes.of(command.owner().value());
    }

    private byte[] lease() {
        return Bytes.of(Settings.millis(command.lease()));
    }

    /** The lease says how long the capacity or the count is remembered, and not the fence. */
    private byte[] fenceLife() {
        return Bytes.of(settings.fenceMillis(0));
    }
}
