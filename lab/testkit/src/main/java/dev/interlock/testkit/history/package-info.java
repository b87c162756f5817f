/**
 * Proof of exclusion after the fact: what was held when, under which token, and what a fenced resource has accepted.
 */
@NullMarked
package dev.interlock.testkit.history;

import org.jspecify.annotations.NullMarked;
