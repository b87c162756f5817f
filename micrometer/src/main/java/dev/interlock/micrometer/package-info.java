/**
 * Metrics and observations of locks, for Micrometer: {@link dev.interlock.micrometer.InterlockMetrics} and
 * {@link dev.interlock.micrometer.InterlockObservations}.
 */
@NullMarked
package dev.interlock.micrometer;

import org.jspecify.annotations.NullMarked;
