package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an acquire is called with, for each kind and mode. */
final class AcquireWords {

    private final Claim claim;
    private final Settings settings;
    private final Keys keys;
    private final long lease;
    private final byte[] waited;
    private final byte[] inbox;

    private AcquireWords(Claim claim, Settings settings, @Nullable String inbox) {
        this.claim = claim;
        this.settings = settings;
        this.keys = new Keys(claim.id().name());
        this.lease = Settings.millis(claim.lease());
        Duration time = claim.waited();
        this.waited = inbox != null && time != null ? Text.micros(time) : Text.EMPTY;
        this.inbox = inbox == null ? Text.EMPTY : Text.of(inbox);
    }

    /**
     * The script and its words.
     *
     * @param inbox how the claim's entry ends, see {@link Inbox#word()}, if it is to be listed as waiting when it is
     *     refused, and if it waits at all; null: it is not to be listed
     * @throws UnsupportedOperationException if the claim's kind does not have its mode
     */
    static Words of(Claim claim, Settings settings, @Nullable String inbox) {
        AcquireWords words = new AcquireWords(claim, settings, inbox);
        return switch (claim.id().kind()) {
            case LOCK -> ModeText.of(claim).isEmpty() ? words.plain(inbox != null) : words.fair();
            case READ_WRITE -> words.shared();
            case SEMAPHORE -> claim.mode() instanceof Mode.Resize resize ? words.resize(resize) : words.permits();
            case LATCH -> words.latch();
        };
    }

    /**
     * Without the key of who waits for a claim that is not listed: the free lock, the common case, does not need it,
     * and each word costs the server time.
     */
    private Words plain(boolean listed) {
        List<byte[]> used = new ArrayList<>(List.of(keys.lock(), keys.fence()));
        List<byte[]> arguments = new ArrayList<>(List.of(owner(), Text.of(lease), fenceLife(), party()));
        OwnerId earlier = claim.replaces();
        if (listed || earlier != null) {
            used.add(keys.waiters());
            arguments.add(waited);
            arguments.add(Text.of(Settings.waiterMillis(lease)));
            arguments.add(inbox);
        }
        if (earlier == null) {
            return Words.of(Script.ACQUIRE, used, arguments);
        }
        arguments.add(Text.of(earlier.value()));
        if (settings.redissonInterop()) {
            arguments.add(keys.redissonChannel());
        }
        return Words.of(Script.REPLACE, used, arguments);
    }

    private Words fair() {
        byte[] channel = settings.redissonInterop() ? keys.redissonChannel() : Text.EMPTY;
        return Words.of(
                Script.FAIR,
                List.of(keys.lock(), keys.fence(), keys.waiters()),
                List.of(
                        owner(),
                        Text.of(lease),
                        fenceLife(),
                        party(),
                        waited,
                        place(),
                        earlier(),
                        channel,
                        inbox,
                        Text.of(ModeText.of(claim) + succession())));
    }

    /**
     * Nobody may succeed who needs more than this server's word, or while clients of Redisson wait beside it, who are
     * to have their turn.
     */
    private String succession() {
        boolean may = claim.ticket() > 0 && settings.replicas() == 0 && !settings.redissonInterop();
        return may ? Math.min(lease, Settings.PLACE.toMillis()) + "." + claim.ticket() : "";
    }

    private Words shared() {
        byte[] channel = settings.redissonInterop() ? keys.redissonSharedChannel() : Text.EMPTY;
        return Words.of(
                Script.ASK_SHARED,
                List.of(keys.shared(), keys.fence(), keys.sharedWaiters(), keys.lock()),
                inOrder(keys.sharesPrefix(), channel));
    }

    private Words permits() {
        return Words.of(
                Script.ASK_PERMITS,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                inOrder(Text.of(ModeText.capacity(claim)), Text.EMPTY));
    }

    private List<byte[]> inOrder(byte[] ofTheKind, byte[] channel) {
        return List.of(
                name(),
                owner(),
                Text.of(ModeText.of(claim)),
                Text.of(lease),
                fenceLife(),
                party(),
                waited,
                place(),
                earlier(),
                ofTheKind,
                channel,
                inbox);
    }

    private Words resize(Mode.Resize resize) {
        return Words.of(
                Script.RESIZE,
                List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                List.of(name(), Text.of(resize.capacity()), Text.of(lease), shortFenceLife()));
    }

    private Words latch() {
        String verb = claim.mode() instanceof Mode.SetCount
                ? "set"
                : claim.mode() instanceof Mode.CountDown
                        ? "count"
                        : ModeText.of(claim).equals("z") ? "await" : "";
        long count = claim.mode() instanceof Mode.SetCount set ? set.count() : 0;
        return Words.of(
                Script.LATCH,
                List.of(keys.latch(), keys.fence(), keys.latchWaiters()),
                List.of(
                        name(),
                        owner(),
                        Text.of(verb),
                        Text.of(count),
                        Text.of(lease),
                        shortFenceLife(),
                        party(),
                        waited,
                        place(),
                        inbox));
    }

    private byte[] name() {
        return Text.of(claim.id().name());
    }

    private byte[] owner() {
        return Text.of(claim.owner().value());
    }

    private byte[] party() {
        return PartyText.encode(claim.party());
    }

    private byte[] earlier() {
        OwnerId earlier = claim.replaces();
        return earlier == null ? Text.EMPTY : Text.of(earlier.value());
    }

    private byte[] fenceLife() {
        return Text.of(settings.fenceMillis(lease));
    }

    /** Where nothing is held, the claim's lease says something else. */
    private byte[] shortFenceLife() {
        return Text.of(settings.fenceMillis(0));
    }

    private static byte[] place() {
        return Text.of(Settings.PLACE.toMillis());
    }
}
