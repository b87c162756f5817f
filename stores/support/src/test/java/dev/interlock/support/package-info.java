/** Tests of the helpers that stores share. */
@NullMarked
package dev.interlock.support;

import org.jspecify.annotations.NullMarked;
