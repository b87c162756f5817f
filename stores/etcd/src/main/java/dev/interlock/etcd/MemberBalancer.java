package dev.interlock.etcd;

import io.grpc.ChannelLogger;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MetricRecorder;
import io.grpc.NameResolver;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import io.grpc.SynchronizationContext.ScheduledHandle;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's {@value #USUAL}, which connects again within {@value #PAUSE_MILLIS} ms while no member can be reached. gRPC's
 * own pause doubles from one second up to two minutes and cannot be set: it would keep clients away from an etcd that
 * is back, for longer than its outage lasted. It belongs to a connection. So each attempt has another one.
 *
 * <p>gRPC calls a balancer in the synchronization context of its channel only, which guards it.
 */
final class MemberBalancer extends LoadBalancerProvider {

    private static final String POLICY = "interlock_etcd";
    private static final String USUAL = "pick_first";
    private static final long PAUSE_MILLIS = 300;
    private static final int USUAL_PRIORITY = 5;

    static {
        LoadBalancerRegistry.getDefaultRegistry().register(new MemberBalancer());
    }

    private MemberBalancer() {}

    /** The name by which gRPC finds it. */
    static String policy() {
        return POLICY;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public int getPriority() {
        return USUAL_PRIORITY;
    }

    @Override
    public String getPolicyName() {
        return POLICY;
    }

    @Override
    public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
        return new Balancer(helper);
    }

    private static final class Balancer extends LoadBalancer {
        private final Helper helper;

        /** The usual balancer, until no member can be reached. */
        private Attempt attempt;

        private @Nullable ResolvedAddresses addresses;
        private @Nullable ScheduledHandle again;

        Balancer(Helper helper) {
            this.helper = helper;
            attempt = new Attempt();
        }

        @Override
        public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
            addresses = resolved;
            return attempt.balancer.acceptResolvedAddresses(resolved);
        }

        @Override
        public void handleNameResolutionError(Status error) {
            attempt.balancer.handleNameResolutionError(error);
        }

        @Override
        public void requestConnection() {
            attempt.balancer.requestConnection();
        }

        @Override
        public void shutdown() {
            ScheduledHandle pending = again;
            if (pending != null) {
                pending.cancel();
            }
            attempt.balancer.shutdown();
        }

        private void failed() {
            if (again == null || !again.isPending()) {
                again = helper.getSynchronizationContext()
                        .schedule(
                                this::tryAgain,
                                PAUSE_MILLIS,
                                TimeUnit.MILLISECONDS,
                                helper.getScheduledExecutorService());
            }
        }

        private void tryAgain() {
            again = null;
            ResolvedAddresses resolved = addresses;
            if (resolved == null || !attempt.failing) {
                return;
            }
            Attempt before = attempt;
            attempt = new Attempt();
            before.balancer.shutdown();
            var unused = attempt.balancer.acceptResolvedAddresses(resolved);
        }

        /** What the usual balancer is told and says; one that was given up says nothing any more. */
        private final class Attempt extends Helper {
            private final LoadBalancer balancer;
            private boolean failing;

            Attempt() {
                balancer = usual().newLoadBalancer(this);
            }

            @Override
            public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
                if (attempt != this) {
                    return;
                }
                failing = state == ConnectivityState.TRANSIENT_FAILURE;
                helper.updateBalancingState(state, picker);
                if (failing) {
                    failed();
                }
            }

            @Override
            public Subchannel createSubchannel(CreateSubchannelArgs arguments) {
                return helper.createSubchannel(arguments);
            }

            @Override
            public ManagedChannel createOobChannel(EquivalentAddressGroup group, String authority) {
                return helper.createOobChannel(group, authority);
            }

            @Override
            public void refreshNameResolution() {
                helper.refreshNameResolution();
            }

            @Override
            public SynchronizationContext getSynchronizationContext() {
                return helper.getSynchronizationContext();
            }

            @Override
            public ScheduledExecutorService getScheduledExecutorService() {
                return helper.getScheduledExecutorService();
            }

            @Override
            public String getAuthority() {
                return helper.getAuthority();
            }

            @Override
            public String getChannelTarget() {
                return helper.getChannelTarget();
            }

            @Override
            public ChannelLogger getChannelLogger() {
                return helper.getChannelLogger();
            }

            @Override
            public NameResolver.Args getNameResolverArgs() {
                return helper.getNameResolverArgs();
            }

            @Override
            public NameResolverRegistry getNameResolverRegistry() {
                return helper.getNameResolverRegistry();
            }

            @Override
            public MetricRecorder getMetricRecorder() {
                return helper.getMetricRecorder();
            }
        }
    }

    private static LoadBalancerProvider usual() {
        LoadBalancerProvider usual = LoadBalancerRegistry.getDefaultRegistry().getProvider(USUAL);
        if (usual == null) {
            throw new IllegalStateException("gRPC has no balancer of this name: " + USUAL);
        }
        return usual;
    }
}
