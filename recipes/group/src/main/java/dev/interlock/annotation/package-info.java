/**
 * Methods that hold locks while they run: {@link dev.interlock.annotation.Locked}. A framework that can intercept calls
 * has them run by {@link dev.interlock.annotation.spi}.
 */
@NullMarked
package dev.interlock.annotation;

import org.jspecify.annotations.NullMarked;
