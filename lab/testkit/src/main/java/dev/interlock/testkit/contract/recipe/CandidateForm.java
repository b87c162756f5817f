package dev.interlock.testkit.contract.recipe;

import dev.interlock.Candidacy;
import dev.interlock.Candidate;
import dev.interlock.Interlock;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A body of a candidate that leads once. */
public final class CandidateForm implements Form {

    private final boolean atTheEnd;

    /**
     * A form.
     *
     * @param atTheEnd whether the body runs when the candidate is told that its leadership is over, and not when it is
     *     elected
     */
    public CandidateForm(boolean atTheEnd) {
        this.atTheEnd = atTheEnd;
    }

    @Override
    public Call begin(Interlock client, String name, Wait wait, FormBody body) {
        Leading leading = new Leading(body, atTheEnd);
        leading.joined.complete(client.election(name).join(leading));
        return new Call() {
            @Override
            public CompletableFuture<@Nullable String> result() {
                return leading.result;
            }

            @Override
            public void giveUp(String way) {
                leading.joined.join().leave();
            }
        };
    }

    @Override
    public List<String> ways() {
        return List.of("leave");
    }

    /** A candidate is told of the end of its leadership when it is over here, whatever the store says. */
    @Override
    public boolean isInterruptedAtTheEnd() {
        return true;
    }

    private static final class Leading implements Candidate {
        private final FormBody body;
        private final boolean atTheEnd;
        private final CompletableFuture<Candidacy> joined = new CompletableFuture<>();
        private final CompletableFuture<@Nullable String> result = new CompletableFuture<>();

        Leading(FormBody body, boolean atTheEnd) {
            this.body = body;
            this.atTheEnd = atTheEnd;
        }

        @Override
        public void elected(Lease leadership) {
            if (atTheEnd) {
                joined.join().leave();
            } else {
                work();
            }
        }

        @Override
        public void ended(Lease leadership, LeadershipEnd how) {
            if (atTheEnd) {
                work();
            }
        }

        private void work() {
            try {
                result.complete(body.run());
            } catch (Exception e) {
                result.completeExceptionally(e);
                throw new IllegalStateException(e);
            } finally {
                joined.join().leave();
            }
        }
    }
}
