/** A full-screen display on a terminal, by escape sequences that every terminal has, and by {@code stty}. */
@NullMarked
package dev.interlock.cli.screen;

import org.jspecify.annotations.NullMarked;
