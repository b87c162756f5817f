/**
 * Locks by annotation in a Spring application.
 *
 * <p>{@link dev.interlock.spring.Locked} is what applications use. {@link dev.interlock.spring.LockedOperation} is one
 * annotation on one method, parsed and checked at start; {@link dev.interlock.spring.LockedCalls} runs it around a
 * call, whatever framework has intercepted that. {@link dev.interlock.spring.LockedMethods} finds the methods of beans,
 * {@link dev.interlock.spring.LockedInterceptor} has their calls run. Package {@code dev.interlock.spring.boot}
 * configures all of it.
 */
@NullMarked
package dev.interlock.spring;

import org.jspecify.annotations.NullMarked;
