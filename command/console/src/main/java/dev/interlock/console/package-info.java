/**
 * The console: a web page and its data, about the locks of one store or several. {@code docs/internals/console-api.md}
 * describes the data, {@code docs/console.md} the command.
 *
 * <pre>
 *   Console                 the door: starts everything from a ConsoleConfig
 *     Gate                    HTTP: who may do what; errors
 *       Api                     the requests under /api
 *         Views                   what is shown of all stores
 *           StoreWatch              looks at one store again and again, on a thread of its own
 *             Snapshot                what one look has seen: SeenName, SeenClaim
 *         WaitGraph               who waits for whom
 *           Circles                 who of them waits for each other, also for interlock waits
 *         Actions                 forces a holder, asks holders to let go
 *       Events                  what changes, to any number of pages
 *       PageFiles               the files of the page
 *     History                 what was seen, in an SQLite file: Span, Action
 * </pre>
 */
@NullMarked
package dev.interlock.console;

import org.jspecify.annotations.NullMarked;
