package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How the members of an ensemble reach each other: directly, or each of them through proxies of its own.
 *
 * <p>Each member has two ports for the others, one for followers and one for elections. With proxies, member {@code i}
 * believes that member {@code j} lives at the address {@code 127.0.i.j}, where a proxy listens at each of {@code j}'s
 * ports. A member tells others the address at which it can be called back; the proxies replace it by theirs, which has
 * as many letters.
 */
final class EnsembleLinks implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    // A follower asks its leader a moment before that listens.
    private static final Duration PATIENCE = Patience.FULL;

    private final List<Integer> followerPorts = new ArrayList<>();
    private final List<Integer> electionPorts = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    EnsembleLinks(int members) {
        for (int i = 0; i < members; i++) {
            followerPorts.add(ZooKeeperSettings.freePort());
            electionPorts.add(ZooKeeperSettings.freePort());
        }
    }

    private record Link(int from, int to, FaultProxy proxy) {}

    /** Puts proxies between all members. */
    void open() {
        for (int from = 1; from <= followerPorts.size(); from++) {
            for (int to = 1; to <= followerPorts.size(); to++) {
                if (from != to) {
                    open(from, to, followerPorts.get(to - 1));
                    open(from, to, electionPorts.get(to - 1));
                }
            }
        }
    }

    /** Tells a member, from 1, who it is and where it finds the others. */
    ZooKeeperSettings configure(ZooKeeperSettings settings, int member) {
        for (int other = 1; other <= followerPorts.size(); other++) {
            String host = links.isEmpty() || other == member ? HOST : host(member, other);
            settings.config("server." + other + "=" + host + ":" + followerPorts.get(other - 1) + ":"
                    + electionPorts.get(other - 1));
        }
        return settings.member(member);
    }

    /** Holds back everything between this member and the others. */
    void isolate(int member) {
        for (Link link : links) {
            if (link.from == member || link.to == member) {
                link.proxy.blackHole();
            }
        }
    }

    void heal() {
        links.forEach(link -> link.proxy.heal());
    }

    long heldBytes() {
        return links.stream()
                .mapToLong(
                        link -> link.proxy.heldBytes(Direction.TO_SERVER) + link.proxy.heldBytes(Direction.TO_CLIENT))
                .sum();
    }

    @Override
    public void close() {
        links.forEach(link -> link.proxy.close());
    }

    private void open(int from, int to, int port) {
        // What the caller says of itself is true for itself only.
        Tap callBack = () -> chunk -> replace(chunk, HOST + ":", host(to, from) + ":");
        FaultProxy proxy = FaultProxy.between(
                new InetSocketAddress(address(from, to), port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                callBack,
                PATIENCE);
        links.add(new Link(from, to, proxy));
    }

    private static String host(int of, int to) {
        return "127.0." + of + "." + to;
    }

    private static InetAddress address(int of, int to) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, (byte) of, (byte) to});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of four bytes is one", e);
        }
    }

    private static byte[] replace(byte[] chunk, String text, String by) {
        String letters = new String(chunk, StandardCharsets.ISO_8859_1);
        return letters.contains(text) ? letters.replace(text, by).getBytes(StandardCharsets.ISO_8859_1) : chunk;
    }
}
