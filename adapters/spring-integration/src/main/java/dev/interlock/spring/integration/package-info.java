/**
 * Locks for Spring Integration: a {@code LockRegistry} over an {@link dev.interlock.Interlock} client, of which each
 * line of Spring Integration has a class of its own.
 */
@NullMarked
package dev.interlock.spring.integration;

import org.jspecify.annotations.NullMarked;
