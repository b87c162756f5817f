package dev.interlock.redis;

import dev.interlock.redis.command.Reply;
import dev.interlock.spi.Command;

/** A change of a semaphore or a latch. */
final class ExecuteCommand extends ScriptCommand<Boolean> {

    private final Command command;

    private ExecuteCommand(Router router, Command command, ScriptArguments arguments) {
        super(router, arguments);
        this.command = command;
    }

    /**
     * Sends a command.
     *
     * @throws UnsupportedOperationException for a request to revoke
     */
    static ExecuteCommand send(Router router, Command command, Settings settings) {
        ExecuteCommand call = new ExecuteCommand(router, command, ExecuteArguments.of(command, settings));
        router.send(call);
        return call;
    }

    @Override
    String subject() {
        return "name=" + command.id().printable();
    }

    /** The fence of what is done; otherwise how long to wait, which a command does not. */
    @Override
    void onResult(Reply answer) {
        complete(answer.number() > 0);
    }
}
