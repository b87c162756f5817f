package dev.interlock.spi;

import java.time.Duration;

/**
 * The grant of a claim that waited in order, by the release of the claim before it, in the same step: the claim need
 * not ask again. It has requested that with a {@link Claim#ticket()}. Unlike any other {@link Wake} this is no hint:
 * the store notifies only the claim's client, and only if that listens.
 *
 * @param fence as in {@link Attempt.Granted}
 * @param ticket that of the acquire which listed the claim for the last time before
 * @param lease how long the store keeps the claim at least, from the moment when that acquire was sent: as long as it
 *     would have kept its place in the list, so that one that is dead costs others no more than it does while it waits;
 *     at most the claim's {@link Claim#lease()}
 */
public record Succession(long fence, long ticket, Duration lease) {}
