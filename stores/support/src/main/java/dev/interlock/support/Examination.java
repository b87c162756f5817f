package dev.interlock.support;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.support.Finding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The checks of a {@link Diagnosable} store, and what they have found. For one thread. */
public final class Examination {

    /** How long a check waits for an answer. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final int LONGEST_REASON = 300;

    private final List<Finding> findings = new ArrayList<>();

    /** Without any finding yet. */
    public Examination() {}

    /** Looks at something, and reports it here. */
    public interface Check {

        /** Any exception says that it could not be found out. */
        void run() throws Exception;
    }

    /** Adds what somebody else has found. */
    public void add(Finding finding) {
        findings.add(finding);
    }

    /** Adds what is as it should be. */
    public void good(String check, String state) {
        findings.add(new Finding(Verdict.GOOD, check, state, ""));
    }

    /** Adds something to know. */
    public void note(String check, String state, String advice) {
        findings.add(new Finding(Verdict.NOTE, check, state, advice));
    }

    /** Adds something that can lose locks. */
    public void warn(String check, String state, String advice) {
        findings.add(new Finding(Verdict.WARNING, check, state, advice));
    }

    /** Adds something that keeps locks from working. */
    public void bad(String check, String state, String advice) {
        findings.add(new Finding(Verdict.BAD, check, state, advice));
    }

    /**
     * Runs a check. If it fails, the reason is a finding.
     *
     * @param advice what to do then, for example which right to give
     */
    public void attempt(String check, String advice, Check body) {
        attempt(check, unused -> advice, body);
    }

    /**
     * Runs a check. If it fails, the reason is a finding.
     *
     * @param advice what to do, of the exception; empty if nothing is known
     */
    public void attempt(String check, Function<? super Exception, String> advice, Check body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            findings.add(new Finding(Verdict.UNKNOWN, check, "not found out: interrupted", ""));
        } catch (Exception e) {
            findings.add(new Finding(Verdict.UNKNOWN, check, "not found out: " + reason(e), advice.apply(e)));
        }
    }

    /** What was found, in the order in which it was added. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /**
     * Waits for an answer, for {@link #PATIENCE}.
     *
     * @throws StoreUnavailableException if there was none, or it was a failure
     */
    public static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = LockStore.causeOf(e);
            throw cause instanceof StoreUnavailableException known
                    ? known
                    : new StoreUnavailableException(String.valueOf(cause == null ? e : cause.getMessage()), cause);
        } catch (TimeoutException e) {
            answer.toCompletableFuture().cancel(false);
            throw new StoreUnavailableException("The store did not answer within " + PATIENCE.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted", e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = LockStore.causeOf(e);
        String message = cause == null || cause.getMessage() == null ? e.toString() : cause.getMessage();
        return message.length() <= LONGEST_REASON ? message : message.substring(0, LONGEST_REASON) + "…";
    }
}
