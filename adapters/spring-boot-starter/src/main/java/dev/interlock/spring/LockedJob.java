package dev.interlock.spring;

import dev.interlock.annotation.Locked;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled method on one instance of the application: if another one has the lock, the method is skipped.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @LockedJob(name = "nightly-report", lockAtLeastFor = "5m")
 * public void report() { ... }
 * }</pre>
 *
 * <p>It is {@link Locked} with {@code waitAtMost = "0s"} and {@code onBusy = SKIP}, and follows its rules. The
 * attributes are those of ShedLock's {@code @SchedulerLock}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Locked(
        value = {},
        waitAtMost = "0s",
        onBusy = Locked.OnBusy.SKIP)
public @interface LockedJob {

    /** The name of the lock, a template as in {@link Locked#value}. */
    @AliasFor(annotation = Locked.class, attribute = "value")
    String name();

    /**
     * For how long the lock is held at most, see {@link Locked#lease}: the method's thread is interrupted if it runs
     * longer. Empty, and best left so, for a lease that is renewed until the method ends.
     */
    @AliasFor(annotation = Locked.class, attribute = "lease")
    String lockAtMostFor() default "";

    /** For how long the lock stays locked at least, see {@link Locked#atLeast}; empty if no longer than the method. */
    @AliasFor(annotation = Locked.class, attribute = "atLeast")
    String lockAtLeastFor() default "";
}
