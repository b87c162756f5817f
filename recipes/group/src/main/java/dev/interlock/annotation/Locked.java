package dev.interlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method while holding a lock.
 *
 * <pre>{@code
 * @Locked("order:#{#order.id}")
 * @Transactional
 * public void charge(Order order, Lease lease) {
 *   payments.charge(order, lease.token());
 * }
 *
 * @Scheduled(cron = "0 0 3 * * *")
 * @Locked(value = "nightly-report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP, atLeast = "5m")
 * public void report() { ... }
 * }</pre>
 *
 * <p>On a type it applies to each of its public methods that has none of its own. It may be repeated, and used as a
 * meta-annotation. Each annotation takes its locks in turn, the first one outermost.
 *
 * <p><b>Where it works.</b> In Spring applications with {@code interlock-spring-boot-starter}, in containers of CDI
 * with {@code interlock-cdi}, and wherever else a framework uses {@link dev.interlock.annotation.spi}. Spring calls the
 * method through a proxy of the bean: so a call of the bean to itself is not locked, and a method that is private,
 * static or final cannot be. The application does not start with such a method, with a public final one of a type with
 * the annotation, nor with a name that cannot be parsed, or that mentions a parameter that the method does not have.
 *
 * <p><b>Synchronous methods</b> use the form of a lock that belongs to the thread, so that a method may call another
 * one with the same name. With {@link Kind#PERMITS} each call takes permits of its own.
 *
 * <p><b>Asynchronous methods</b>, those that return a {@code CompletionStage}, a {@code Mono}, a {@code Flux} or are
 * Kotlin {@code suspend} functions, hold a lease until the result is there, block no thread, and are not re-entrant.
 * Results that are worked on later in another way, such as a {@code Future}, a {@code Stream} or a {@code Callable},
 * are refused: nobody knows when that ends.
 *
 * <p><b>Transactions.</b> The lock is outside of {@code @Transactional} on the same method: it is released after the
 * commit. A method that is called within a transaction keeps its lock until that transaction is completed.
 *
 * <p>A parameter of type {@link dev.interlock.Lease} gets the lease, whatever the caller passes.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Repeatable(Locked.All.class)
public @interface Locked {

    /**
     * The names of the locks: all of them are held, or none. Each is a template of the framework. In Spring: text,
     * property placeholders <code>${…}</code>, and expressions of the Spring Expression Language inside <code>#{…}
     * </code>, which see the arguments by name ({@code #order}) or position ({@code #a0}), beans ({@code @prices}), and
     * {@code #root} with {@code method}, {@code target} and {@code args}.
     *
     * <p>Equal values must have equal texts: arrays, objects without a {@code toString} of their own, null, and what
     * has no fixed order are refused, at the start where the type of a parameter shows it, and else by the call.
     */
    String[] value();

    /** The kind of lock. */
    Kind kind() default Kind.LOCK;

    /** How many permits to take; for {@link Kind#PERMITS} only. */
    int permits() default 1;

    /** How many permits there are at the first use of the name; for {@link Kind#PERMITS} only. */
    int capacity() default 1;

    /**
     * How long to wait for the lock, as {@code 5s}, {@code 500ms} or {@code PT5S}, never a number alone; {@code 0s}
     * tries once; empty waits without limit.
     */
    String waitAtMost() default "";

    /**
     * For how long the lock is held at most, as a fixed lease that is never renewed; empty for the lease that the
     * application's properties give to this name, by default one that is renewed until the method ends.
     */
    String lease() default "";

    /**
     * For how long the lock stays locked at least, from the moment when it was acquired, as {@code 30s}; empty if it is
     * free when the method has ended. If the method ends earlier, with or without an exception, the lock is left to
     * lapse, as by {@link dev.interlock.Lease#lapse}: so a job that is quicker than the clocks of its processes differ
     * runs once. If a method calls another one with the same name, that of the outer one counts. Not for
     * {@link Kind#READ}. ZooKeeper and etcd cannot keep a lock without a holder: there the caller gets an
     * {@link UnsupportedOperationException}, and the method does not run.
     */
    String atLeast() default "";

    /** What happens when the wait ends without the lock. All but {@link OnBusy#THROW} need {@link #waitAtMost}. */
    OnBusy onBusy() default OnBusy.THROW;

    /**
     * With {@link OnBusy#FALLBACK}: the name of a method of the same class that takes the same parameters, and returns
     * the same type.
     */
    String fallback() default "";

    /** What happens when the store does not answer. */
    OnUnavailable onUnavailable() default OnUnavailable.THROW;

    /** What happens when the lease is lost while the method runs. */
    OnLost onLost() default OnLost.INTERRUPT;

    /**
     * Which {@code Interlock} of the application, if it has several, in Spring by the name or the qualifier of the
     * bean; empty for the only or the primary one.
     */
    String client() default "";

    /** The kinds of lock that a method can hold. */
    enum Kind {
        /** One holder at a time. */
        LOCK,
        /**
         * One holder at a time, in the order in which callers of all processes arrive at the store. Not retained,
         * whatever the options of the name say.
         */
        FAIR,
        /** The read side of a read/write lock. */
        READ,
        /** The write side of a read/write lock. */
        WRITE,
        /** Permits of a semaphore. */
        PERMITS
    }

    /** What happens when the wait ends without the lock. */
    enum OnBusy {
        /** The caller gets a {@link LockBusyException}. */
        THROW,
        /**
         * The method does not run. The caller gets zero, false, an empty {@code Optional}, array, collection or
         * publisher, and null for anything else. A method whose result has no empty form is refused at the start.
         */
        SKIP,
        /** The method that {@link Locked#fallback} names runs in its place, without the lock. */
        FALLBACK
    }

    /** What happens when the store does not answer in time. */
    enum OnUnavailable {
        /** The caller gets a {@link dev.interlock.StoreUnavailableException}. */
        THROW,
        /** The method does not run, as with {@link OnBusy#SKIP}. */
        SKIP,
        /** The method runs without the lock, and a warning is logged each time. */
        PROCEED
    }

    /** What happens when the lease is lost while the method runs. */
    enum OnLost {
        /**
         * The thread is interrupted (a publisher is cancelled), and the caller gets a
         * {@link dev.interlock.LockLostException} unless the method has thrown one of its own.
         */
        INTERRUPT,
        /** The method goes on; after a normal end the caller gets a {@link dev.interlock.LockLostException}. */
        THROW,
        /** The method goes on, and its result counts. */
        IGNORE
    }

    /** Several of them. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
    @interface All {
        /** The annotations, outermost first. */
        Locked[] value();
    }
}
