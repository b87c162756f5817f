/** The rules that the engine decides alone; begin with {@code EngineSuite}. */
@NullMarked
package dev.interlock.testkit.engine;

import org.jspecify.annotations.NullMarked;
