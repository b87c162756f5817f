package dev.interlock.testkit.contract.idle;

import java.time.Duration;

/**
 * What a store costs at most: how often its claims poll, and how many messages its server gets for a request of the
 * engine. A message is what a client writes at once, on any of its connections. Immutable.
 *
 * @param poll the shortest time after which a claim that has waited for a second asks again, if it is the first in its
 *     line
 * @param acquire the messages of an acquire of a claim that goes on waiting
 * @param renew the messages of a renewal of one claim
 * @param inspect the messages of an inspection
 * @param alive the messages a second of a client whose engine asks nothing: signs of life, on all of its connections
 */
public record Prices(Duration poll, int acquire, int renew, int inspect, double alive) {

    /** Of a store without a server: only the requests of the engine count. */
    public static Prices withoutServer(Duration poll) {
        return new Prices(poll, 0, 0, 0, 0);
    }

    /** The shortest poll of a claim that a wake would reach: the poll cap, less a random part of up to a quarter. */
    public static Duration woken(Duration pollCap) {
        return pollCap.multipliedBy(3).dividedBy(4);
    }
}
