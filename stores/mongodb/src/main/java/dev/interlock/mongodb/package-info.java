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
 * docs/internals/mongodb-format.md describes the documents, docs/mongodb.md what the store promises.
 */
@NullMarked
package dev.interlock.mongodb;

import org.jspecify.annotations.NullMarked;
