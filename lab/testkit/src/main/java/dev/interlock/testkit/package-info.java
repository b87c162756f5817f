/**
 * What tests of Interlock and of its stores share: how much effort to spend, and how long to wait for what must come.
 */
@NullMarked
package dev.interlock.testkit;

import org.jspecify.annotations.NullMarked;
