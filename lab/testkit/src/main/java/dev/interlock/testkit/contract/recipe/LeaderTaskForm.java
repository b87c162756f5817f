package dev.interlock.testkit.contract.recipe;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A body as a leader's task, which leads once. */
public final class LeaderTaskForm implements Form {

    private static final String WAITS = "A candidate waits";

    @Override
    public Call begin(Interlock client, String name, Wait wait, FormBody body) {
        CompletableFuture<@Nullable String> result = new CompletableFuture<>();
        CompletableFuture<Candidacy> joined = new CompletableFuture<>();
        try {
            joined.complete(client.election(name).join(lease -> {
                try {
                    result.complete(body.run());
                } catch (Exception e) {
                    result.completeExceptionally(e);
                    throw e;
                } finally {
                    joined.join().leave();
                }
            }));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return new Call() {
            @Override
            public CompletableFuture<@Nullable String> result() {
                return result;
            }

            @Override
            public void giveUp(String way) {
                Candidacy candidacy = joined.join();
                if (way.equals("leave")) {
                    candidacy.leave();
                }
                Thread closing = new Thread(() -> {
                    candidacy.close();
                    // The task runs no more, and has told its outcome if it ran.
                    result.completeExceptionally(new CancellationException("left"));
                });
                closing.setDaemon(true);
                closing.start();
            }
        };
    }

    @Override
    public List<String> ways() {
        return List.of("leave", "close");
    }

    @Override
    public boolean isInterruptedAtTheEnd() {
        return true;
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(Day.BUSY_AND_TRIES, WAITS, Day.FAR_BUSY_AND_TRIES, WAITS);
    }
}
