package dev.interlock.spring;

import dev.interlock.annotation.Locked;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method only while this application leads an election: of all instances of an application, one runs it.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 60_000)
 * @LeaderOnly("cleanup")
 * public void cleanUp(Lease leadership) { ... }
 * }</pre>
 *
 * <p>The application stands in the election from its start to its end. A call on an instance that does not lead returns
 * at once, with zero, false, an empty {@code Optional}, array or collection, or null. When the leadership ends while
 * the method runs, its thread is interrupted; if the leadership was given up, as at the end of the application, the
 * next instance leads when the method has returned.
 *
 * <p>A parameter of type {@link dev.interlock.Lease} gets the lease of the leadership, whatever the caller passes. The
 * method is synchronous, and Spring calls it through a proxy of the bean, as one with {@link Locked}. Both may be used
 * together: the leader then takes the lock.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LeaderOnly {

    /** The name of the election, with property placeholders <code>${…}</code>. */
    String value();
}
