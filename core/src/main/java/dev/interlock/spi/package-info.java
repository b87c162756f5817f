/**
 * What a store implements: five asynchronous verbs, and a provider that opens it from a URI. Everything else, from
 * threads and queues to renewal and loss, exists once in the engine; this package knows nothing of it.
 */
@NullMarked
package dev.interlock.spi;

import org.jspecify.annotations.NullMarked;
