package dev.interlock.jdbc.claims;

/**
 * What stands in the way of a claim that polls.
 *
 * @param ageMs for how long that has stood; for how long the claim has waited if nobody holds
 * @param leftMs for how long it still stands, without a renewal
 * @param ahead how many other waiters come before it
 */
record Look(long ageMs, long leftMs, int ahead) {}
