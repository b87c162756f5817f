/**
 * The parts that the commands and the demonstration share: the store and its client, the exit codes and failures, the
 * output, and signals to processes. Nothing here knows a command.
 */
@NullMarked
package dev.interlock.cli.common;

import org.jspecify.annotations.NullMarked;
