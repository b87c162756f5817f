package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.redis.command.Script;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script with its keys and arguments. Immutable, but for arrays that callers must not change. */
final class ScriptArguments {

    /** The number of arguments before the keys: the digest, and the number of keys. */
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

    /**
     * The same with the first key alone as a key, and the others behind the arguments: a server whose slot is moving
     * refuses a script unless all of its keys are there. Null if the script needs more than its first key.
     *
     * @return itself if it has one key
     */
    @Nullable
    ScriptArguments withFirstKeyOnly() {
        int behind = script == Script.RELEASE ? 2 : script == Script.INSPECT ? 0 : -1;
        if (behind < 0 || keys == 1) {
            return behind < 0 ? null : this;
        }
        List<byte[]> arguments = new ArrayList<>(Arrays.asList(all).subList(HEAD + keys, all.length));
        while (arguments.size() < behind) {
            arguments.add(Bytes.EMPTY);
        }
        arguments.addAll(Arrays.asList(all).subList(HEAD + 1, HEAD + keys));
        return of(script, List.of(all[HEAD]), arguments);
    }

    /** The keys, as text. */
    List<String> keys() {
        return Arrays.stream(all, HEAD, HEAD + keys)
                .map(key -> new String(key, UTF_8))
                .toList();
    }

    /** The first key, which decides about the server in a cluster; null if there is none. */
    byte @Nullable [] firstKey() {
        return keys == 0 ? null : all[HEAD];
    }

    /** All arguments of EVALSHA. Callers must not change them. */
    byte[][] all() {
        return all;
    }

    /** All arguments of EVAL. Callers must not change them. */
    byte[][] inFull() {
        byte[][] inFull = all.clone();
        inFull[0] = script.source();
        return inFull;
    }
}
