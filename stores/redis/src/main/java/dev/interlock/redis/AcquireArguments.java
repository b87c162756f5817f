package dev.interlock.redis;

import dev.interlock.redis.command.Script;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scripts, keys and arguments of an acquire, for each kind. */
final class AcquireArguments {

    private final Claim claim;
    private final Settings settings;
    private final Keys keys;
    private final String mode;
    private final long lease;
    private final byte[] waited;
    private final byte[] inbox;

    private AcquireArguments(Claim claim, Settings settings, @Nullable String inbox) {
        this.claim = claim;
        this.settings = settings;
        this.keys = new Keys(claim.id().name());
        this.mode = ModeCodec.of(claim);
        this.lease = Settings.millis(claim.lease());
        Duration time = claim.waited();
        this.waited = inbox != null && time != null ? Bytes.micros(time) : Bytes.EMPTY;
        this.inbox = inbox == null ? Bytes.EMPTY : Bytes.of(inbox);
    }

    /**
     * Returns the script, keys and arguments.
     *
     * @param inbox the end of the claim's entry, see {@code WakeReceiver}, if it is listed as waiting when it is
     *     refused; null if it is not listed
     * @throws UnsupportedOperationException if the claim's kind does not have its mode
     */
    static ScriptArguments of(Claim claim, Settings settings, @Nullable String inbox) {
        AcquireArguments args = new AcquireArguments(claim, settings, inbox);
        return switch (claim.id().kind()) {
            case LOCK -> args.mode.isEmpty() ? args.plain(inbox != null) : args.fair();
            case READ_WRITE -> args.shared();
            case SEMAPHORE -> args.permits();
            case LATCH -> args.latch();
        };
    }

    /**
     * Leaves out the key of waiting claims if the claim is not listed, nor may be kept unused: an acquire of a free
     * lock, the common case, does not need it, and each argument costs the server time.
     */
    private ScriptArguments plain(boolean listed) {
        List<byte[]> used = new ArrayList<>(List.of(keys.lock(), keys.fence()));
        List<byte[]> arguments = new ArrayList<>(List.of(owner(), Bytes.of(lease), fenceLife(), party()));
        OwnerId earlier = claim.replaces();
        if (listed || earlier != null) {
            used.add(keys.waiters());
            arguments.add(waited);
            arguments.add(Bytes.of(Settings.waiterMillis(lease)));
            arguments.add(inbox);
        } else if (claim.owner().isRetained()) {
            used.add(keys.waiters());
        }
        if (earlier == null) {
            return ScriptArguments.of(Script.ACQUIRE, used, arguments);
        }
        arguments.add(Bytes.of(earlier.value()));
        if (settings.redissonInterop()) {
            arguments.add(keys.redissonChannel());
        }
        return ScriptArguments.of(Script.REPLACE, used, arguments);
    }

    private ScriptArguments fair() {
        byte[] channel = settings.redissonInterop() ? keys.redissonChannel() : Bytes.EMPTY;
        return ScriptArguments.of(
                Script.FAIR,
                List.of(keys.lock(), keys.fence(), keys.waiters()),
                List.of(
                        owner(),
                        Bytes.of(lease),
                        fenceLife(),
                        party(),
                        waited,
                        place(),
                        earlier(),
                        channel,
                        inbox,
                        Bytes.of(mode + succession())));
    }

    /**
     * The argument that allows a release to grant the lock to this claim, for so many milliseconds, before it asks
     * again. Not with {@code replicas}, since more than this server must confirm a grant; nor with
     * {@code redissonInterop}, since waiting clients of Redisson are to have their turn.
     */
    private String succession() {
        boolean may = settings.replicas() == 0 && !settings.redissonInterop();
        return may ? Long.toString(Math.min(lease, Settings.PLACE.toMillis())) : "";
    }

    private ScriptArguments shared() {
        byte[] channel = settings.redissonInterop() ? keys.redissonSharedChannel() : Bytes.EMPTY;
        return ScriptArguments.of(
                Script.ASK_SHARED,
                List.of(keys.shared(), keys.fence(), keys.sharedWaiters(), keys.lock()),
                inOrder(keys.sharesPrefix(), channel));
    }

    private ScriptArguments permits() {
        return ScriptArguments.of(
                Script.ASK_PERMITS,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                inOrder(Bytes.of(ModeCodec.capacity(claim)), Bytes.EMPTY));
    }

    private List<byte[]> inOrder(byte[] ofTheKind, byte[] channel) {
        return List.of(
                name(),
                owner(),
                Bytes.of(mode),
                Bytes.of(lease),
                fenceLife(),
                party(),
                waited,
                place(),
                earlier(),
                ofTheKind,
                channel,
                inbox);
    }

    private ScriptArguments latch() {
        return ScriptArguments.of(
                Script.LATCH,
                List.of(keys.latch(), keys.fence(), keys.latchWaiters()),
                List.of(
                        name(),
                        owner(),
                        Bytes.of("await"),
                        Bytes.of(0),
                        Bytes.of(lease),
                        shortFenceLife(),
                        party(),
                        waited,
                        place(),
                        inbox));
    }

    private byte[] name() {
        return Bytes.of(claim.id().name());
    }

    private byte[] owner() {
        return Bytes.of(claim.owner().value());
    }

    private byte[] party() {
        return PartyCodec.encode(claim.party());
    }

    private byte[] earlier() {
        OwnerId earlier = claim.replaces();
        return earlier == null ? Bytes.EMPTY : Bytes.of(earlier.value());
    }

    private byte[] fenceLife() {
        return Bytes.of(settings.fenceMillis(lease));
    }

    /** For what holds nothing: its lease has another meaning. */
    private byte[] shortFenceLife() {
        return Bytes.of(settings.fenceMillis(0));
    }

    private static byte[] place() {
        return Bytes.of(Settings.PLACE.toMillis());
    }
}
