package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/** A script and what it is called with. */
final class Words {

    /** Before the keys stand the script and their number. */
    private static final int HEAD = 2;

    private final Script script;
    private final byte[][] all;

    private Words(Script script, byte[][] all) {
        this.script = script;
        this.all = all;
    }

    static Words of(Script script, List<byte[]> keys, List<byte[]> arguments) {
        byte[][] all = new byte[HEAD + keys.size() + arguments.size()][];
        all[0] = script.sha();
        all[1] = Integer.toString(keys.size()).getBytes(US_ASCII);
        int at = HEAD;
        for (byte[] key : keys) {
            all[at++] = key;
        }
        for (byte[] argument : arguments) {
            all[at++] = argument;
        }
        return new Words(script, all);
    }

    Script script() {
        return script;
    }

    /** As they follow EVALSHA. Not to be changed by the caller. */
    byte[][] all() {
        return all;
    }
}
