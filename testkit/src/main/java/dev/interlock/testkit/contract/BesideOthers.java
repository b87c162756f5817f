package dev.interlock.testkit.contract;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test that mostly lets time pass: it runs while others of its class run, one after the other as ever. Not while one looks at the whole JVM, which is one with a
 * {@code ResourceLock} on {@link #JVM}.
 */
@Documented
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = BesideOthers.JVM, mode = ResourceAccessMode.READ)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface BesideOthers {

    /** The threads of this JVM, and its log. */
    String JVM = "dev.interlock.jvm";
}
