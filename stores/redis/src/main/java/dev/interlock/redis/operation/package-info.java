/**
 * The verbs of the store: each is a command with a script, and the meaning of its reply.
 *
 * <p>Begin with {@code ScriptCommand}, which loads its script into a server that does not know it, and with
 * {@link dev.interlock.redis.operation.AcquireCommand}. {@code AcquireArguments}, {@code ReleaseArguments} and
 * {@code RenewArguments} choose the script, the keys and the arguments ({@code ScriptArguments}) for each kind of lock.
 *
 * <p>{@code Renewals} splits the claims of one renewal among scripts and servers, and collects their replies in a
 * {@code RenewalFuture}. {@code ReplicatedAcquires} waits for replicas after an acquire; {@code ReplicatedGrants}
 * remembers which claims they have. {@code Catalog} inspects and lists. All commands go through the {@code Router};
 * {@code WakeReceiver} learns which claims wait.
 */
@NullMarked
package dev.interlock.redis.operation;

import org.jspecify.annotations.NullMarked;
