package dev.interlock.micronaut;

import io.micronaut.aop.Around;
import io.micronaut.context.annotation.Executable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What {@link LockedMapper} adds to {@link dev.interlock.annotation.Locked}, so that Micronaut intercepts the calls,
 * and has the methods checked at the start. Not for code of an application.
 */
@Around
@Executable(processOnStartup = true)
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface LockedAdvice {}
