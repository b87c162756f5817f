package dev.interlock.redis.operation;

import dev.interlock.redis.command.Reply;
import dev.interlock.redis.topology.Router;

/** A script whose answer is taken as it is. */
final class PlainScriptCommand extends ScriptCommand<Reply> {

    private final String subject;

    PlainScriptCommand(Router link, String subject, ScriptArguments call) {
        super(link, call);
        this.subject = subject;
    }

    @Override
    String subject() {
        return subject;
    }

    @Override
    protected void onReply(Reply answer) {
        complete(answer);
    }
}
