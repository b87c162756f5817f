package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims: at most {@value #MOST}, in one transaction, so that a client with very many keeps the others from
 * writing only for a millisecond or two. For claims that are not held any more it finds out why.
 *
 * <p>A row that another transaction keeps locked costs no other claim its lease:
 *
 * <ol>
 *   <li>All claims are renewed whose rows are not locked.
 *   <li>The operation waits for the locked rows, one after the other, until it has waited once in vain. It queues for
 *       them like every other transaction: on a busy name, a renewal that only tried now and then would never find its
 *       row free.
 *   <li>Claims whose rows it did not get are missing from the answer.
 * </ol>
 *
 * It waits for nothing while other claims of the request need the answer in time: the engine soon asks again for the
 * missing ones alone.
 */
final class RenewOperation {

    /** How many claims one operation renews at most. */
    static final int MOST = 100;

    /** The engine waits a sixth of the shortest lease for an answer, which takes some requests besides the waits. */
    private static final int WAITS_PER_LEASE = 9;

    /** After waiting for rows for so long, and not in vain, it waits for no other. */
    private static final long LONG_NANOS = WaitLimits.LOCK_WAIT.toNanos() / 4;

    private final Session session;
    private final NameTables tables;

    /** Renews claims on this session. */
    RenewOperation(Session session) {
        this.session = session;
        this.tables = new NameTables(session);
    }

    /** Runs the operation; leaves out the claims whose rows it did not get. */
    Map<Claim, Renewal> run(List<Claim> claims) throws SQLException {
        Map<Claim, Renewal> result = new HashMap<>();
        boolean waits = session.dialect().locksRows() && session.rowLockWaits().areAllowed();
        // A single claim waits at once: one request instead of several.
        if (claims.size() > 1 || !waits) {
            renewUnlocked(claims, result);
        }
        List<Claim> left = left(claims, result);
        if (left.isEmpty() || !waits) {
            return result;
        }
        SQLException failure = mayBeLate(claims, result) ? waitedInVain(left, result) : null;
        if (claims.size() > 1) {
            // Rows that were locked for a short time only are free by now.
            renewUnlocked(left(left, result), result);
        }
        if (failure != null && result.isEmpty()) {
            throw failure;
        }
        return result;
    }

    /** Whether the answer may be late: no claim has been renewed, or all leases are long enough. */
    private boolean mayBeLate(List<Claim> claims, Map<Claim, Renewal> result) {
        Duration enough = WaitLimits.LOCK_WAIT.multipliedBy(WAITS_PER_LEASE);
        return !result.containsValue(Renewal.HELD)
                || (!mayCostTheAnswer(result)
                        && claims.stream().allMatch(claim -> claim.lease().compareTo(enough) >= 0));
    }

    /** Whether another wait may cost the connection, and with it an answer about renewed claims. */
    private boolean mayCostTheAnswer(Map<Claim, Renewal> result) {
        return !session.dialect().endsLockWaitsInTime() && result.containsValue(Renewal.HELD);
    }

    private static List<Claim> left(List<Claim> claims, Map<Claim, Renewal> result) {
        return claims.stream().filter(claim -> !result.containsKey(claim)).toList();
    }

    /**
     * Waits for the rows of these claims, one after the other, until one wait was in vain or long. In random order, so
     * that a row that is locked for ever does not always come before the same others.
     *
     * @return why a wait was in vain; null if none was
     */
    private @Nullable SQLException waitedInVain(List<Claim> claims, Map<Claim, Renewal> result) throws SQLException {
        List<Claim> drawn = new ArrayList<>(claims);
        Collections.shuffle(drawn, ThreadLocalRandom.current());
        long begun = System.nanoTime();
        for (Claim claim : drawn) {
            try {
                boolean plain = claim.id().kind() == LockKind.LOCK;
                set(
                        claim,
                        session.update(
                                plain ? SqlStatement.RENEW_HOLDER : SqlStatement.RENEW_CLAIM, Parameters.of(claim)),
                        result);
                explain(List.of(claim), result);
            } catch (SQLException e) {
                session.rowLockWaits().timedOut();
                if (!session.isUsableAfter(e)) {
                    throw e;
                }
                return e;
            }
            if (mayCostTheAnswer(result) || System.nanoTime() - begun >= LONG_NANOS) {
                break;
            }
        }
        return null;
    }

    /** Renews the claims whose rows are not locked. */
    private void renewUnlocked(List<Claim> claims, Map<Claim, Renewal> result) throws SQLException {
        if (claims.isEmpty()) {
            return;
        }
        if (claims.size() == 1 && session.dialect().skipsLockedRows()) {
            setUnlocked(claims, result);
        } else {
            session.inTransaction(() -> {
                // The transaction may be repeated: what the last try has found does not count.
                claims.forEach(result::remove);
                setUnlocked(claims, result);
                return true;
            });
        }
        explain(claims, result);
    }

    private void setUnlocked(List<Claim> batch, Map<Claim, Renewal> result) throws SQLException {
        List<Claim> holders = batch.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        List<Claim> others = batch.stream()
                .filter(claim -> claim.id().kind() != LockKind.LOCK)
                .toList();
        setUnlocked(UnlockedRows.ofNames(session), SqlStatement.RENEW_UNLOCKED_HOLDER, holders, result);
        setUnlocked(UnlockedRows.ofClaims(session), SqlStatement.RENEW_UNLOCKED_CLAIM, others, result);
    }

    private static void setUnlocked(
            UnlockedRows rows, SqlStatement step, List<Claim> claims, Map<Claim, Renewal> result) throws SQLException {
        int[] counts = rows.updateAll(step, claims.stream().map(Parameters::of).toList());
        IntStream.range(0, counts.length).forEach(i -> set(claims.get(i), counts[i], result));
    }

    private static void set(Claim claim, int count, Map<Claim, Renewal> result) {
        if (count == 1) {
            result.put(claim, Renewal.HELD);
        }
    }

    /** Finds out why claims have not been renewed. A claim that is held stays out of the answer: its row was locked. */
    private void explain(List<Claim> batch, Map<Claim, Renewal> result) throws SQLException {
        for (Claim claim : left(batch, result)) {
            Renewal cause = tables.peek(claim).map(name -> name.renewal(claim)).orElse(Renewal.DELETED);
            if (cause != Renewal.HELD) {
                result.put(claim, cause);
            }
        }
    }
}
