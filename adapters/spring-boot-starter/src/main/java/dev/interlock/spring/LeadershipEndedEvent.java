package dev.interlock.spring;

import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;

/**
 * This application does not lead an election any more. Published on the client's callback executor; if the leadership
 * was given up, nobody else leads before the listeners have returned.
 *
 * @param election the name of the election
 * @param leadership the lease that is over
 * @param end why it is over
 */
public record LeadershipEndedEvent(String election, Lease leadership, LeadershipEnd end) {}
