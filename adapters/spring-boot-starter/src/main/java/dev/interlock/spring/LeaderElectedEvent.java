package dev.interlock.spring;

import dev.interlock.Lease;

/**
 * This application leads an election now. Published on the client's callback executor; listeners should return soon.
 *
 * @param election the name of the election
 * @param leadership the lease; its token is larger than that of every leadership before
 */
public record LeaderElectedEvent(String election, Lease leadership) {}
