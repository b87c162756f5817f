/**
 * The MongoDB store. Begin with {@link dev.interlock.mongodb.MongoStore}.
 *
 * <pre>
 *   MongoStore ---> Workers     threads, in which the verbs run
 *       |              |
 *       |              '-----> Acquire, Verbs ---> Documents       commands
 *       |                          |                  |
 *       |                          '-----> NameDocument, Fields    what a document says; the rules decide
 *       '--------> Wakes        who waits, and the change stream that wakes them
 *       '--------> Source       the client, from a MongoUri or the application's
 * </pre>
 *
 * The format of the documents, and what the store promises, is described in docs/mongodb.md.
 */
@NullMarked
package dev.interlock.mongodb;

import org.jspecify.annotations.NullMarked;
