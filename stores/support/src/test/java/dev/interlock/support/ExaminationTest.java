package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.StoreUnavailableException;
import dev.interlock.support.Finding.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The checks of a store: each by itself, and one that fails is a finding. */
class ExaminationTest {

    @Test
    void aCheckThatFails_isUnknown_andTheOthersGoOn() {
        Examination found = new Examination();
        found.attempt("one", "give the right", () -> {
            throw new CompletionException(new IllegalStateException("refused " + "x".repeat(1_000)));
        });
        found.attempt("two", "", () -> found.good("two", "fine"));

        assertThat(found.findings()).extracting(Finding::verdict).containsExactly(Verdict.UNKNOWN, Verdict.GOOD);
        assertThat(found.findings().get(0).state())
                .startsWith("not found out: refused x")
                .hasSizeLessThan(400);
        assertThat(found.findings().get(0).advice()).isEqualTo("give the right");
    }

    @Test
    void await_saysWhatTheStoreSaid() {
        assertThat(Examination.<String>await(CompletableFuture.completedFuture("answer")))
                .isEqualTo("answer");
        assertThatThrownBy(() -> Examination.await(CompletableFuture.failedFuture(new IllegalStateException("closed"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("closed");
    }
}
