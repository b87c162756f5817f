package dev.interlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class, or one test, a store of its own. A test, {@code @BeforeEach} and {@code @AfterEach} may
 * have parameters of these types:
 *
 * <ul>
 *   <li>{@link dev.interlock.Interlock}: the client for the code under test
 *   <li>{@link Locks}: what happens to its locks
 *   <li>{@link TestStore}: how the store behaves
 *   <li>{@link TestClock}: the clock of the store and of all clients
 * </ul>
 *
 * <pre>{@code
 * @InterlockTest
 * class SettlementTest {
 *
 *   @Test
 *   void skipsWhatSomebodyElseSettles(Interlock interlock, Locks locks) {
 *     locks.hold("settle:42");
 *
 *     assertThat(new Settlement(interlock).settle(42)).isFalse();
 *   }
 * }
 * }</pre>
 *
 * <p>After the test nothing may be held or waited for by the code under test, or the test fails, with the names and the
 * threads. Threads that are about to release get two seconds. Then waits are ended, and what {@link Locks} holds is
 * released.
 *
 * <p>Code under test that waits for a lock for 20 seconds of real time, or five minutes on a real store, gets an
 * {@link IllegalStateException}, which says who holds it.
 *
 * <p>A call waits one second for a store in memory that says nothing, and 200 ms for one attempt, in place of 30 s and
 * 2 s. Nothing is shared between tests: they may run in parallel, with any life cycle, in nested classes, and repeated.
 *
 * <p>In a test with Spring's extension, the four are those of the application context, whose {@code interlock.uri} is
 * {@code memory:}; they live on from one test to the next, so such tests run one after the other.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(InterlockExtension.class)
public @interface InterlockTest {

    /**
     * The URI of the store, as in {@link dev.interlock.Interlock#connect}: a real one for the same test. Names are
     * given a prefix there, so that tests do not meet; time-outs are the usual ones; the clock cannot be moved. Or
     * <code>${name}</code>: a configuration parameter of JUnit or a system property has the URI then, such as one that
     * a container's test has set. Not in a test with Spring's extension, whose properties have the URI.
     */
    String uri() default "memory:";
}
