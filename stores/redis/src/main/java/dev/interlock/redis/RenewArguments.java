package dev.interlock.redis;

import dev.interlock.redis.command.Script;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The scripts, keys and arguments of a renewal of many claims, and of the query why a claim was lost. */
final class RenewArguments {

    /** The order in which renew.lua expects the kinds: that of their declaration. */
    static final Comparator<Claim> ORDER =
            Comparator.comparing(claim -> claim.id().kind());

    private RenewArguments() {}

    /** Renews claims in {@link #ORDER}, none of a latch, on a server that is no cluster. */
    static ScriptArguments renew(List<Claim> claims, Settings settings) {
        return ScriptArguments.of(Script.RENEW, keys(claims), arguments(claims, settings));
    }

    /**
     * Renews claims of many slots. The keys of one command must have one slot, so these keys are arguments, and the
     * command can be sent to any server.
     */
    static ScriptArguments renewMixed(List<Claim> claims, Settings settings) {
        List<byte[]> all = arguments(claims, settings);
        all.addAll(keys(claims));
        return ScriptArguments.of(Script.RENEW, List.of(), all);
    }

    /**
     * Renews one claim in a cluster. Its keys are arguments, too: while its slot moves from one server to another, both
     * refuse a command unless all keys that it names are there, and a renewal needs those alone that hold the claim.
     */
    static ScriptArguments renewOne(Claim claim, Settings settings) {
        Keys of = new Keys(claim.id().name());
        List<byte[]> needed =
                switch (claim.id().kind()) {
                    case LOCK -> List.of(of.lock());
                    case READ_WRITE -> List.of(of.shared(), of.lock());
                    default -> List.of(of.semaphore());
                };
        List<byte[]> all = arguments(List.of(claim), settings);
        addKeys(all, claim);
        return ScriptArguments.of(Script.RENEW, needed, all);
    }

    /** Queries why claims of locks were lost. */
    static ScriptArguments lost(List<Claim> claims) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> owners = new ArrayList<>();
        for (Claim claim : claims) {
            Keys of = new Keys(claim.id().name());
            keys.add(of.lock());
            keys.add(of.forced());
            owners.add(Bytes.of(claim.owner().value()));
        }
        return ScriptArguments.of(Script.LOST, keys, owners);
    }

    /** Queries why a claim of a read/write lock or a semaphore was lost. */
    static ScriptArguments cause(Claim claim) {
        Keys of = new Keys(claim.id().name());
        byte[] owner = Bytes.of(claim.owner().value());
        byte[] mode = Bytes.of(ModeCodec.of(claim));
        byte[] forced = of.forced(claim.owner());
        if (claim.id().kind() == LockKind.READ_WRITE) {
            return ScriptArguments.of(
                    Script.CAUSE_SHARED,
                    List.of(of.shared(), forced, of.sharedWaiters(), of.lock()),
                    List.of(owner, mode, of.sharesPrefix()));
        }
        return ScriptArguments.of(
                Script.CAUSE_PERMITS,
                List.of(of.semaphore(), forced, of.semaphoreWaiters()),
                List.of(owner, mode, Bytes.of(ModeCodec.capacity(claim))));
    }

    private static List<byte[]> arguments(List<Claim> claims, Settings settings) {
        List<byte[]> arguments = new ArrayList<>(3 + 5 * claims.size());
        arguments.add(Bytes.of(count(claims, LockKind.LOCK)));
        arguments.add(Bytes.of(count(claims, LockKind.READ_WRITE)));
        arguments.add(Bytes.of(count(claims, LockKind.SEMAPHORE)));
        for (Claim claim : claims) {
            long lease = Settings.millis(claim.lease());
            arguments.add(Bytes.of(claim.owner().value()));
            arguments.add(Bytes.of(lease));
            arguments.add(Bytes.of(settings.fenceMillis(lease)));
            if (claim.id().kind() == LockKind.READ_WRITE) {
                arguments.add(new Keys(claim.id().name()).share(claim.owner()));
            }
        }
        return arguments;
    }

    private static List<byte[]> keys(List<Claim> claims) {
        List<byte[]> keys = new ArrayList<>(3 * claims.size());
        claims.forEach(claim -> addKeys(keys, claim));
        return keys;
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
