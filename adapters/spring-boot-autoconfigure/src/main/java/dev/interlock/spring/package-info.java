/**
 * Locks by annotation in a Spring application.
 *
 * <p>{@link dev.interlock.spring.Locked} is what applications use. {@link dev.interlock.spring.LockedOperation} is one
 * annotation on one method, parsed and checked at start; {@link dev.interlock.spring.LockedInterceptor} runs it around
 * a call; {@link dev.interlock.spring.LockedMethods} finds and checks the methods, and keeps what was parsed. Package
 * {@code dev.interlock.spring.boot} configures all of it.
 */
@NullMarked
package dev.interlock.spring;

import org.jspecify.annotations.NullMarked;
