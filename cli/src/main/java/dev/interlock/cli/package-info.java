/**
 * The {@code interlock} command: holds a lock while a program runs, shows who holds what, and demonstrates it.
 * {@link dev.interlock.cli.Main} is its entry; {@code docs/command.md} is its reference.
 */
@NullMarked
package dev.interlock.cli;

import org.jspecify.annotations.NullMarked;
