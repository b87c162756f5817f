/**
 * The {@code interlock} command: holds a lock while a program runs, shows holders and waiters, and demonstrates it. Its
 * reference is {@code docs/command.md}.
 *
 * <pre>
 *   Main                    the entry point: parses the command line and calls a command
 *     PlainRun                nearly all command lines of run
 *     CommandLines            all others, by picocli; ParserErrors says what is wrong with them
 *     RunCommand, LsCommand, ...  with CommonOptions
 *       DefaultStore                the store without --store
 *     RunCommand also uses
 *       KindOptions, Acquirable     the lock or the permits
 *       Program, RunningProgram     the program that it starts
 *         Starter                     what the launcher has left to start it
 *       SignalRelay, OsSignal       pass signals on to it
 *     StatusView, Json            the output
 *     Waits, WaitsView            who waits for whom
 *     LiveList, TopView           the output that goes on, on the screen of dev.interlock.cli.screen
 *     DoctorCommand uses Examiner     a lock, and what the store says of its server
 *   ErrorReporter           turns an exception into a message and an exit code
 *   Warmup                  run by the launcher after a build
 * </pre>
 *
 * <p>The classes that the demonstration shares are in {@link dev.interlock.cli.common}.
 */
@NullMarked
package dev.interlock.cli;

import org.jspecify.annotations.NullMarked;
