package dev.interlock.redis;

import dev.interlock.redis.command.Reply;

/** A script whose result is the reply as it is. */
final class PlainScriptCommand extends ScriptCommand<Reply> {

    private final String subject;

    PlainScriptCommand(Router router, String subject, ScriptArguments call) {
        super(router, call);
        this.subject = subject;
    }

    @Override
    String subject() {
        return subject;
    }

    @Override
    void onResult(Reply answer) {
        complete(answer);
    }
}
