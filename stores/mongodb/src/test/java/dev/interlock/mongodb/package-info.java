/**
 * By default on mongo-java-server, which is not MongoDB; on a real one with {@code -Dmongodb.uri=mongodb://host:port}.
 */
@NullMarked
package dev.interlock.mongodb;

import org.jspecify.annotations.NullMarked;
