/**
 * The bench: the costs of a lock beside those of its peers, on one server in one run.
 *
 * <p>{@link dev.interlock.bench.Bench} is the command. It opens the peers' clients (a
 * {@link dev.interlock.bench.Worker} each, in a JVM of its own), lets them work in turn, and prints the table. While it
 * measures it checks exclusion ({@link dev.interlock.bench.Guard}) and counts the server's commands
 * ({@link dev.interlock.bench.Commands}).
 */
@NullMarked
package dev.interlock.bench;

import org.jspecify.annotations.NullMarked;
