/** Tests of the demonstration. */
@NullMarked
package dev.interlock.cli.demo;

import org.jspecify.annotations.NullMarked;
