package dev.interlock.redis;

/** A script whose answer is taken as it is. */
final class TextCall extends ScriptCall<Reply> {

    private final String subject;

    TextCall(Link link, String subject, Words call) {
        super(link, call);
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
