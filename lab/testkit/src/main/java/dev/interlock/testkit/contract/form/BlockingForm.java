package dev.interlock.testkit.contract.form;

import dev.interlock.Interlock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A form that blocks its caller, who is a thread of its own and can be interrupted. */
public abstract class BlockingForm implements Form {

    /** Locks, runs the body and unlocks; null if the lock was busy. */
    protected abstract @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception;

    @Override
    public final Call begin(Interlock client, String name, Wait wait, FormBody body) {
        CompletableFuture<@Nullable String> result = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                result.complete(call(client, name, wait, body));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        caller.setDaemon(true);
        caller.start();
        return new Call() {
            @Override
            public CompletableFuture<@Nullable String> result() {
                return result;
            }

            @Override
            public void giveUp(String way) {
                caller.interrupt();
            }

            @Override
            public String toString() {
                return caller + " in " + Arrays.toString(caller.getStackTrace());
            }
        };
    }

    /** On the thread of the body. */
    @Override
    public final @Nullable String nested(Interlock client, String name, FormBody body) {
        try {
            return call(client, name, Wait.UNLIMITED, body);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<String> ways() {
        return List.of("interrupt");
    }
}
