package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the renewal of many claims is called with, and the question why one was lost. */
final class RenewWords {

    /** The order in which renew.lua takes the kinds: that of their declaration. */
    static final Comparator<Claim> ORDER =
            Comparator.comparing(claim -> claim.id().kind());

    private RenewWords() {}

    /** Claims in {@link #ORDER}, none of a latch. */
    static Words renew(List<Claim> claims, Settings settings) {
        List<byte[]> keys = new ArrayList<>(2 * claims.size());
        List<byte[]> arguments = new ArrayList<>(2 + 3 * claims.size());
        arguments.add(Text.of(count(claims, LockKind.LOCK)));
        arguments.add(Text.of(count(claims, LockKind.READ_WRITE)));
        for (Claim claim : claims) {
            addKeys(keys, claim);
            long lease = Settings.millis(claim.lease());
            arguments.add(Text.of(claim.owner().value()));
            arguments.add(Text.of(lease));
            arguments.add(Text.of(settings.fenceMillis(lease)));
        }
        return Words.of(Script.RENEW, keys, arguments);
    }

    /** The same for claims of several slots of a cluster: the keys are arguments. */
    static Words renewMixed(List<Claim> claims, Settings settings) {
        Words declared = renew(claims, settings);
        return declared.withKeysLast();
    }

    /** For claims of locks. */
    static Words lost(List<Claim> claims) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> owners = new ArrayList<>();
        for (Claim claim : claims) {
            Keys of = new Keys(claim.id().name());
            keys.add(of.lock());
            keys.add(of.forced());
            owners.add(Text.of(claim.owner().value()));
        }
        return Words.of(Script.LOST, keys, owners);
    }

    /** For a claim of a read/write lock or a semaphore. */
    static Words cause(Claim claim) {
        Keys of = new Keys(claim.id().name());
        byte[] owner = Text.of(claim.owner().value());
        byte[] mode = Text.of(ModeText.of(claim));
        byte[] forced = of.forced(claim.owner());
        if (claim.id().kind() == LockKind.READ_WRITE) {
            return Words.of(
                    Script.CAUSE_SHARED,
                    List.of(of.shared(), forced, of.sharedWaiters(), of.lock()),
                    List.of(owner, mode, of.sharesPrefix()));
        }
        return Words.of(
                Script.CAUSE_PERMITS,
                List.of(of.semaphore(), forced, of.semaphoreWaiters()),
                List.of(owner, mode, Text.of(ModeText.capacity(claim))));
    }

    private static void addKeys(List<byte[]> keys, Claim claim) {
        Keys of = new Keys(claim.id().name());
        switch (claim.id().kind()) {
            case LOCK -> {
                keys.add(of.lock());
                keys.add(of.fence());
            }
            case READ_WRITE -> {
                keys.add(of.shared());
                keys.add(of.fence());
                keys.add(of.lock());
                keys.add(of.share(claim.owner()));
            }
            default -> {
                keys.add(of.semaphore());
                keys.add(of.fence());
            }
        }
    }

    private static long count(List<Claim> claims, LockKind kind) {
        return claims.stream().filter(claim -> claim.id().kind() == kind).count();
    }
}
