package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes in what the server answers: a number, a text, or a list of both, nested lists in line. */
public final class Reply extends CommandOutput<byte[], byte[], Object> {

    /** No more room than for so many elements is made before they come: how many are to come is only said. */
    private static final int ROOM = 1024;

    private long number;
    private @Nullable String text;
    private @Nullable List<String> elements;
    private @Nullable List<Integer> lengths;

    Reply() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    /** The number; 0 if there was none. */
    public long number() {
        return number;
    }

    /** The text; empty if there was none. */
    public String text() {
        return text == null ? "" : text;
    }

    /** The elements of the list, numbers in decimal, nil as an empty text; empty if there was no list. */
    public List<String> elements() {
        return elements == null ? List.of() : elements;
    }

    /** How long the list and the lists within it are, in the order in which they begin. */
    public List<Integer> lengths() {
        return lengths == null ? List.of() : lengths;
    }

    @Override
    public void set(long value) {
        number = value;
        if (elements != null) {
            elements.add(Long.toString(value));
        }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        String value = bytes == null ? "" : UTF_8.decode(bytes).toString();
        text = value;
        if (elements != null) {
            elements.add(value);
        }
    }

    @Override
    public void multi(int count) {
        if (elements == null) {
            elements = new ArrayList<>(Math.max(0, Math.min(count, ROOM)));
            lengths = new ArrayList<>(1);
        }
        if (lengths != null) {
            lengths.add(count);
        }
    }

    /** A map is a list of keys and values in turn. */
    @Override
    public void multiMap(int count) {
        multi((int) Math.min(2L * count, Integer.MAX_VALUE));
    }
}
