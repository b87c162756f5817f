/** Metrics and observations of locks, for Micrometer: two observers of a client. */
@NullMarked
package dev.interlock.micrometer;

import org.jspecify.annotations.NullMarked;
