package dev.interlock.etcd;

import dev.interlock.support.DaemonThreads;
import dev.interlock.support.HostNames;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names of the members whenever a connection has broken: see {@link HostNames}. jetcd's own resolver asks
 * Java, which keeps an address for 30 s. The members of a client are the path of a URI with a scheme of its own, by
 * which gRPC finds this class. Thread-safe.
 */
final class MemberNames extends NameResolverProvider {

    private static final String SCHEME = "interlock-etcd";
    private static final int USUAL_PRIORITY = 5;
    private static final Executor THREADS = DaemonThreads.pool("interlock-etcd-names");

    static {
        NameResolverRegistry.getDefaultRegistry().register(new MemberNames());
    }

    private MemberNames() {}

    /** What gRPC has to connect to for these members, each {@code host:port}. */
    static String target(List<String> members) {
        return SCHEME + ":///" + String.join(",", members).replace("[", "%5B").replace("]", "%5D");
    }

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return USUAL_PRIORITY;
    }

    @Override
    public String getDefaultScheme() {
        return SCHEME;
    }

    @Override
    public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args settings) {
        if (!SCHEME.equals(target.getScheme())) {
            return null;
        }
        return new Resolver(List.of(target.getPath().substring(1).split(",")));
    }

    /** The members of one client. */
    private static final class Resolver extends NameResolver {
        private final List<String> members;
        private volatile @Nullable Listener listener;

        Resolver(List<String> members) {
            this.members = members;
        }

        /** Each member names itself: see {@link #addresses}. */
        @Override
        public String getServiceAuthority() {
            return "";
        }

        @Override
        public void start(Listener first) {
            listener = first;
            refresh();
        }

        /** Called after each failure of a connection. */
        @Override
        public void refresh() {
            if (members.stream().map(Resolver::name).allMatch(HostNames::isKnown)) {
                resolve();
            } else {
                THREADS.execute(this::resolve);
            }
        }

        private void resolve() {
            Listener current = listener;
            if (current == null) {
                return;
            }
            List<EquivalentAddressGroup> groups = new ArrayList<>();
            List<String> unknown = new ArrayList<>();
            for (String member : members) {
                try {
                    groups.add(addresses(member));
                } catch (UnknownHostException e) {
                    unknown.add(name(member));
                }
            }
            if (groups.isEmpty()) {
                current.onError(Status.UNAVAILABLE.withDescription("Unknown host: " + String.join(", ", unknown)));
            } else {
                current.onAddresses(groups, Attributes.EMPTY);
            }
        }

        private static EquivalentAddressGroup addresses(String member) throws UnknownHostException {
            int port = Integer.parseInt(member.substring(member.lastIndexOf(':') + 1));
            List<SocketAddress> addresses = Arrays.stream(HostNames.resolve(name(member)))
                    .map((InetAddress address) -> (SocketAddress) new InetSocketAddress(address, port))
                    .toList();
            // The name that a certificate must have.
            Attributes authority = Attributes.newBuilder()
                    .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, member)
                    .build();
            return new EquivalentAddressGroup(addresses, authority);
        }

        private static String name(String member) {
            return member.substring(0, member.lastIndexOf(':')).replace("[", "").replace("]", "");
        }

        @Override
        public void shutdown() {
            listener = null;
        }
    }
}
