package dev.interlock.redis;

/** A script whose answer is taken as it is. */
final class TextCall extends ScriptCall<Reply> {

    private final String subject;

    TextCall(Link link, Script script, String subject, int keys, byte[]... keysAndArguments) {
        super(link, script, keys, keysAndArguments);
        this.subject = subject;
    }

    @Override
    String subject() {
        return subject;
    }

    @Override
    void answered(Reply answer) {
        complete(answer);
    }
}
