package dev.interlock.redis;

import dev.interlock.StoreUnavailableException;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a server once for each connection, in front of the first command and without waiting: whether it is new enough, and whether it may evict
 * locks. A user without the right to ask is not bothered: only the problem itself is one.
 */
final class FirstUse {

    private static final int OLDEST_MAJOR = 6;
    private static final String POLICY = "maxmemory_policy:";
    private static final System.Logger LOG = System.getLogger("dev.interlock.redis");

    private final String where;
    private final AtomicBoolean warned = new AtomicBoolean();

    FirstUse(String where) {
        this.where = where;
    }

    /** @param onTooOld hears of a server that is not to be used */
    void check(Consumer<Call<?>> sender, Consumer<StoreUnavailableException> onTooOld) {
        PlainCall hello = new PlainCall(CommandType.HELLO);
        var unused = hello.whenComplete((reply, failure) -> checkVersion(reply, failure, onTooOld));
        sender.accept(hello);
        if (!warned.get()) {
            PlainCall memory = new PlainCall(CommandType.INFO, "memory");
            var ignored = memory.thenAccept(reply -> checkEviction(reply.text()));
            sender.accept(memory);
        }
    }

    private static void checkVersion(
            @Nullable Reply reply, @Nullable Throwable failure, Consumer<StoreUnavailableException> onTooOld) {
        if (reply != null) {
            List<String> elements = reply.elements();
            int at = elements.indexOf("version");
            String version = at < 0 || at + 1 == elements.size() ? "" : elements.get(at + 1);
            if (isTooOld(version)) {
                onTooOld.accept(Failures.tooOld(version));
            }
        } else if (failure != null && String.valueOf(failure.getMessage()).contains("unknown command")) {
            onTooOld.accept(Failures.tooOld("unknown, HELLO is not known"));
        }
    }

    private static boolean isTooOld(String version) {
        int dot = version.indexOf('.');
        try {
            return dot > 0 && Integer.parseInt(version.substring(0, dot)) < OLDEST_MAJOR;
        } catch (NumberFormatException e) {
            // A server that counts otherwise is not Redis, and knows HELLO.
            return false;
        }
    }

    private void checkEviction(String info) {
        info.lines()
                .filter(line -> line.startsWith(POLICY))
                .map(line -> line.substring(POLICY.length()).trim())
                .filter(policy -> !policy.equals("noeviction"))
                .filter(policy -> warned.compareAndSet(false, true))
                .forEach(policy -> LOG.log(
                        Level.WARNING,
                        "Redis may evict locks when its memory is full; set maxmemory-policy to noeviction: "
                                + "maxmemory-policy=" + policy + ", server=" + where));
    }
}
