package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.session.FenceExhaustedException;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tables know of one name at one moment, and what is to become of it. Read and written by {@link NameTables},
 * changed by a {@link Rule}. For whoever has the turn of the {@link Worker}.
 *
 * <p>The holder of a lock, of which there is one, stands in the row of the name, so that the usual acquire and release
 * are one statement on one row. All other claims are rows of their own.
 */
final class NameState {

    /** The microseconds count up to the year 2223, so that a clock far off cannot use up the 2^53 numbers. */
    private static final long LARGEST_TIME = 8_000_000_000_000_000L;

    final LockId id;
    final long nowMs;

    /** As it was read; null if there is no row. */
    final @Nullable NameColumns stored;

    /** All that is not over, but for the holder of a lock. */
    final List<ClaimRow> claims = new ArrayList<>();

    /** What is to be removed. */
    final List<ClaimRow> gone = new ArrayList<>();

    /** Those whose turn it is and who can be told so. */
    final List<ClaimRow> woken = new ArrayList<>();

    /** Of a lock: who holds it, or for whom it is kept. */
    @Nullable
    ClaimRow holder;

    /** Whether the holder is another than the one that was read. */
    boolean holderIsNew;

    /** Whether those who have counted a latch are to be forgotten. */
    boolean forgetCounted;

    int amount;
    long keptMs;
    private long fence;

    /** Whether there is more to write than that something is over. */
    private boolean touched;

    NameState(LockId id, long nowMs, @Nullable NameColumns stored) {
        this.id = id;
        this.nowMs = nowMs;
        this.stored = stored;
        if (stored != null) {
            amount = stored.amount();
            keptMs = stored.keptMs();
            fence = stored.fence();
        }
    }

    /**
     * Above every fence of the name before, and above what a lost database has forgotten, which is what the time is
     * for.
     */
    long nextFence() {
        if (fence >= Attempt.LARGEST_FENCE) {
            throw new FenceExhaustedException("The tables have a fence of '" + id.name()
                    + "' that no client gives, and that leaves no larger one: fence=" + fence);
        }
        touch();
        fence = Math.max(fence + 1, Math.min(nowMs * 1_000, LARGEST_TIME));
        return fence;
    }

    void touch() {
        touched = true;
    }

    boolean isTouched() {
        return touched;
    }

    // ---- who is there

    /** Who holds, and for whom the name is kept. */
    List<ClaimRow> holders() {
        return Stream.concat(Stream.ofNullable(holder), claims.stream().filter(row -> row.standing == Standing.HELD))
                .toList();
    }

    /** Who holds; nobody does for whom the name is only kept. */
    Optional<ClaimRow> held(String owner) {
        return holders().stream()
                .filter(row -> row.owner.equals(owner) && row.standing == Standing.HELD)
                .findFirst();
    }

    /** Who waits, whether it has been called or not. */
    Optional<ClaimRow> listed(String owner) {
        return claims.stream()
                .filter(row -> row.owner.equals(owner) && row.standing.waits())
                .findFirst();
    }

    Optional<ClaimRow> marked(String owner, Standing standing) {
        return claims.stream()
                .filter(row -> row.owner.equals(owner) && row.standing == standing)
                .findFirst();
    }

    /** Who waits and has not been called away from the line, longest first. */
    List<ClaimRow> waiting() {
        return claims.stream()
                .filter(row -> row.standing.isInLine())
                .sorted(ClaimRow.ORDER)
                .toList();
    }

    /** Who waits, longest first. */
    List<ClaimRow> lined() {
        return claims.stream()
                .filter(row -> row.standing.waits())
                .sorted(ClaimRow.ORDER)
                .toList();
    }

    /** Who waits and came before this claim: all, if it is not listed and has not waited. */
    List<ClaimRow> ahead(Claim claim) {
        Optional<ClaimRow> mine = listed(claim.owner().value());
        long since = nowMs - Parameters.waitedMillis(claim);
        return waiting().stream()
                .takeWhile(row -> mine.map(me -> row != me && ClaimRow.ORDER.compare(row, me) < 0)
                        .orElse(row.sinceMs <= since))
                .toList();
    }

    // ---- changes

    /** An owner has one row: the mark that a forced release of it has left makes way. */
    void add(ClaimRow row) {
        touch();
        marked(row.owner, Standing.FORCED).ifPresent(this::drop);
        row.changed = true;
        claims.add(row);
    }

    void remove(ClaimRow row) {
        touch();
        drop(row);
    }

    private void drop(ClaimRow row) {
        claims.remove(row);
        gone.add(row);
    }

    /** Notes that it is the turn of one that waits. */
    void call(ClaimRow row, Standing standing) {
        if (row.standing != standing) {
            row.standing = standing;
            row.changed = true;
            touch();
        }
    }

    /** Gives the name to this claim: another holder than before, or none. */
    void hand(@Nullable ClaimRow next) {
        touch();
        holder = next;
        holderIsNew = next != null && next.standing == Standing.HELD;
    }

    /**
     * Forgets what is over, and cuts what would end later than its length allows: that is what a clock leaves behind
     * that was set back.
     */
    void expire() {
        for (ClaimRow row : List.copyOf(claims)) {
            if (row.isOver(nowMs)) {
                drop(row);
            } else {
                cut(row);
            }
        }
        ClaimRow current = holder;
        if (current != null && current.isOver(nowMs)) {
            holder = null;
        } else if (current != null) {
            cut(current);
        }
        if (keptMs <= nowMs) {
            keptMs = 0;
        }
    }

    private void cut(ClaimRow row) {
        if (row.untilMs - nowMs > row.leaseMs) {
            row.lasts(nowMs, row.leaseMs);
            touch();
        }
    }

    // ---- what is to stand in the row of the name

    NameColumns columns() {
        ClaimRow current = holder;
        long listedMs = claims.stream()
                .filter(row -> row.standing.waits())
                .mapToLong(row -> row.untilMs)
                .max()
                .orElse(0);
        if (current == null) {
            return new NameColumns("", false, "X", fence, 0, 0, 0, listedMs, amount, keptMs);
        }
        return new NameColumns(
                current.owner,
                current.standing == Standing.HELD,
                ModeCode.letter(current.mode),
                fence,
                current.sinceMs,
                current.untilMs,
                current.leaseMs,
                listedMs,
                amount,
                keptMs);
    }

    /** Whether nothing is left of the name but its fence. */
    boolean isEmpty() {
        return holder == null && claims.isEmpty() && amount == 0 && keptMs == 0;
    }

    boolean isLock() {
        return id.kind() == LockKind.LOCK;
    }

    /** The modes of those who hold, and of the one for whom the name is kept, but not of this owner. */
    List<Mode> modesOfOthers(String owner) {
        return new ArrayList<>(holders().stream()
                .filter(row -> !Objects.equals(row.owner, owner))
                .map(row -> row.mode)
                .toList());
    }
}
