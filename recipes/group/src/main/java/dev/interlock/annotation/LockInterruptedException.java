package dev.interlock.annotation;

/**
 * The thread was interrupted while a {@link Locked} method waited for its lock, and the method does not declare an
 * {@link InterruptedException}. The method has not run, whatever {@link Locked#onBusy} says, and the thread is still
 * interrupted.
 */
public class LockInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says for which locks the thread waited. */
    public LockInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
