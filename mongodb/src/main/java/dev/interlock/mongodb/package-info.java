/**
 * Locks in MongoDB, over the synchronous driver. {@link dev.interlock.mongodb.MongoStore} is the store; a {@code Name}
 * is what one document says, with the rules of its kind; {@code Documents} are the requests to the server.
 */
@NullMarked
package dev.interlock.mongodb;

import org.jspecify.annotations.NullMarked;
