/** Tests of the parts that the commands share. */
@NullMarked
package dev.interlock.cli.common;

import org.jspecify.annotations.NullMarked;
