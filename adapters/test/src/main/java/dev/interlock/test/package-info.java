/**
 * Tests of an application's own code that locks: a store in memory which a test controls, with its clock; assertions;
 * and an extension for JUnit Jupiter that makes them for each test. Begin with
 * {@link dev.interlock.test.InterlockTest}.
 */
@NullMarked
package dev.interlock.test;

import org.jspecify.annotations.NullMarked;
