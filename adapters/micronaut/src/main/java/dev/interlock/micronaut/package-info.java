/**
 * Interlock in Micronaut applications: a client from their configuration, and methods with
 * {@link dev.interlock.annotation.Locked}.
 */
@NullMarked
package dev.interlock.micronaut;

import org.jspecify.annotations.NullMarked;
