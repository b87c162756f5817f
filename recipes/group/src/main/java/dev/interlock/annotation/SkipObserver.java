package dev.interlock.annotation;

/**
 * Is told of each run of a {@link Locked} method that was skipped because the lock was busy, see
 * {@link Locked.OnBusy#SKIP}. In a Spring application, all beans of this type are. Called on the thread that skips, so
 * it must be quick.
 */
@FunctionalInterface
public interface SkipObserver {

    /**
     * A run was skipped.
     *
     * @param method the class and the name of the method, such as {@code com.example.Jobs.nightly}
     */
    void skipped(String method);
}
