/**
 * The {@code interlock} command: holds a lock while a program runs, shows holders and waiters, and demonstrates it. Its
 * reference is {@code docs/command.md}.
 *
 * <pre>
 *   Main                    the entry point: parses the command line and calls a
 *     RunCommand, LsCommand, ...  with CommonOptions
 *       StoreUri, DefaultStore      the store
 *       Client                      opens the library on it
 *     RunCommand also uses
 *       KindOptions, Acquirable     the lock or the permits
 *       Program                     the program that it starts
 *       SignalRelay, OsSignal       pass signals on to it
 *     StatusView, Table, Json     the output, made safe by TerminalText
 *   ErrorReporter           turns a CommandException, or any other, into a message and an ExitCode
 *   Warmup                  run by the launcher after a build
 * </pre>
 */
@NullMarked
package dev.interlock.cli;

import org.jspecify.annotations.NullMarked;
