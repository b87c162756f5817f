/** Tests of what needs no store; the others inherit the contract of {@code interlock-testkit}. */
@NullMarked
package dev.interlock.election;

import org.jspecify.annotations.NullMarked;
