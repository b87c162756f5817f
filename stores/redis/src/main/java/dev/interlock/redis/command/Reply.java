package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives a reply: a number, a text, or a list of both, in which nested lists are flattened. */
public final class Reply extends CommandOutput<byte[], byte[], Object> {

    /** The most elements to allocate room for in advance: the length that a reply announces may be wrong. */
    private static final int ROOM = 1024;

    private long number;
    private @Nullable String text;
    private @Nullable List<String> elements;
    private @Nullable List<Integer> lengths;

    Reply() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    /** The number; 0 if the reply has none. */
    public long number() {
        return number;
    }

    /** The text; empty if the reply has none. */
    public String text() {
        return text == null ? "" : text;
    }

    /** The elements of the list: numbers in decimal, nil as an empty text. Empty if the reply is no list. */
    public List<String> elements() {
        return elements == null ? List.of() : elements;
    }

    /** The lengths of the list and of the lists within it, in the order in which they begin. */
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

    /** Treats a map as a list of alternating keys and values. */
    @Override
    public void multiMap(int count) {
        multi((int) Math.min(2L * count, Integer.MAX_VALUE));
    }
}
