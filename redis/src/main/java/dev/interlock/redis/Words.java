package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
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

    /** The same, but the keys are the last arguments, and none is a key. */
    Words withKeysLast() {
        int keys = Integer.parseInt(new String(all[1], US_ASCII));
        List<byte[]> words = Arrays.asList(all);
        List<byte[]> arguments = new ArrayList<>(words.subList(HEAD + keys, words.size()));
        arguments.addAll(words.subList(HEAD, HEAD + keys));
        return of(script, List.of(), arguments);
    }

    Script script() {
        return script;
    }

    /** As they follow EVALSHA. Not to be changed by the caller. */
    byte[][] all() {
        return all;
    }
}
