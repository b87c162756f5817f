package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The Lua scripts. Each is made of one or several files, in order, whose headers describe inputs and results. */
public final class Script {

    public static final Script ACQUIRE = new Script("acquire");
    public static final Script REPLACE = new Script("wake", "replace", "acquire");
    public static final Script FAIR = new Script("enter", "wake", "fair");
    public static final Script RELEASE = new Script("release", "wake", "pass");
    public static final Script LAPSE = new Script("wake", "lapse");
    public static final Script FORCE = new Script("wake", "force");
    public static final Script ASK_SHARED = new Script("wake", "holders", "readwrite", "ask");
    public static final Script ASK_PERMITS = new Script("wake", "holders", "semaphore", "ask");
    public static final Script FINISH_SHARED = new Script("wake", "holders", "readwrite", "finish");
    public static final Script FINISH_PERMITS = new Script("wake", "holders", "semaphore", "finish");
    public static final Script RESIZE = new Script("wake", "holders", "semaphore", "resize");
    public static final Script ADD_PERMITS = new Script("wake", "holders", "semaphore", "add-permits");
    public static final Script KEEP_PERMITS = new Script("wake", "holders", "semaphore", "keep-permits");
    public static final Script LATCH = new Script("wake", "latch");
    public static final Script RENEW = new Script("renew");
    public static final Script LOST = new Script("lost");
    public static final Script CAUSE_SHARED = new Script("wake", "holders", "readwrite", "cause");
    public static final Script CAUSE_PERMITS = new Script("wake", "holders", "semaphore", "cause");
    public static final Script INSPECT = new Script("inspect");
    public static final Script LOOK_SHARED = new Script("wake", "holders", "readwrite", "look");
    public static final Script LOOK_PERMITS = new Script("wake", "holders", "semaphore", "look");
    public static final Script COUNT = new Script("count");
    public static final Script LIST = new Script("list");
    public static final Script FENCED_SET = new Script("fenced-set");

    private final String text;
    private final byte[] source;
    private final byte[] sha;

    private Script(String... files) {
        StringBuilder joined = new StringBuilder();
        for (String file : files) {
            joined.append(read(file + ".lua"));
        }
        text = joined.toString();
        source = text.getBytes(UTF_8);
        sha = sha1(text).getBytes(US_ASCII);
    }

    /** The text that the server loads. */
    public String text() {
        return text;
    }

    /** The text as it is sent. Callers must not change it. */
    public byte[] source() {
        return source;
    }

    /** The digest by which the server knows the script. Callers must not change it. */
    public byte[] sha() {
        return sha;
    }

    /** The line with this number, from 1; empty if there is none. */
    String line(int number) {
        return text.lines().skip(number - 1L).findFirst().orElse("");
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("The script is missing on the class path: " + file);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The script cannot be read: " + file, e);
        }
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-1", e);
        }
    }
}
