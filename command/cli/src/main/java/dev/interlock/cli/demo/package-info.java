/**
 * The demonstration: real processes that share a file under one lock, of which one is killed and another one is
 * stopped.
 *
 * <pre>
 *   Demo           the steps; begin here
 *     EventLoop      receives the events of the workers and counts them
 *     Workspace      the directory, the store and the workers, which it removes at the end
 *       Worker         a process, its events and its state
 *         WorkerJvm      its command line
 *     Register       refuses late writes by their tokens
 *     Screen, Report the output
 *   WorkerMain     the program of a worker
 * </pre>
 */
@NullMarked
package dev.interlock.cli.demo;

import org.jspecify.annotations.NullMarked;
