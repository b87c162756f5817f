package dev.interlock.redis.operation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.interlock.redis.command.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script and what it is called with. */
final class ScriptArguments {

    /** Before the keys stand the script and their number. */
    private static final int HEAD = 2;

    private final Script script;
    private final int keys;
    private final byte[][] all;

    private ScriptArguments(Script script, int keys, byte[][] all) {
        this.script = script;
        this.keys = keys;
        this.all = all;
    }

    static ScriptArguments of(Script script, List<byte[]> keys, List<byte[]> arguments) {
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
        return new ScriptArguments(script, keys.size(), all);
    }

    Script script() {
        return script;
    }

    /** Which server of a cluster is to be asked hangs on it; null if there is none. */
    byte @Nullable [] firstKey() {
        return keys == 0 ? null : all[HEAD];
    }

    /** As they follow EVALSHA. Not to be changed by the caller. */
    byte[][] all() {
        return all;
    }
}
