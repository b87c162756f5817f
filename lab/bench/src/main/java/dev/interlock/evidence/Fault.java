package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What strikes, and how. Each strike takes a process that holds the lock and goes on with its work. A strike lasts for
 * {@link Trial#outlast}, which is longer than the lease, unless it is over at once.
 */
enum Fault {
    KILL("`kill -9` of the holder's process", Fault.all()) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikes(holder);
            trial.kill(holder);
            trial.healed(holder, true);
            trial.replace(holder);
        }
    },
    STOP("the holder's process is stopped (`SIGSTOP`) for longer than its lease, and goes on", Fault.all()) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikes(holder);
            holder.jvm().stop();
            int from = trial.mark();
            trial.outlast();
            // On a busy machine the others may need longer to notice.
            trial.awaitSuccessor(holder, from);
            trial.healed(holder, true);
            from = trial.mark();
            holder.jvm().resume();
            trial.awaitStep(holder, from);
            holder.go();
        }
    },
    CUT("the connections of the holder's process are reset, and new ones refused", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeProxy(
                    trial,
                    proxy -> {
                        proxy.refuse();
                        proxy.reset();
                    },
                    FaultProxy::resets);
        }
    },
    HOLE_REQUESTS("nothing arrives of what the holder's process sends; its connections stay open", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeProxy(
                    trial,
                    proxy -> proxy.blackHole(Direction.TO_SERVER),
                    proxy -> proxy.heldBytes(Direction.TO_SERVER));
        }
    },
    HOLE_REPLIES("no reply comes to the holder's process; its connections stay open", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeProxy(
                    trial,
                    proxy -> proxy.blackHole(Direction.TO_CLIENT),
                    proxy -> proxy.heldBytes(Direction.TO_CLIENT));
        }
    },
    LOST_REPLIES("one reply in twenty is lost, and its connection reset, for every process", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            long before = lost(trial);
            trial.strikesServer();
            trial.site().proxies().forEach(proxy -> proxy.dropReplies(LOSS));
            trial.outlast();
            trial.site().proxies().forEach(FaultProxy::heal);
            trial.healedServer(lost(trial) > before);
        }

        private long lost(Trial trial) {
            return trial.site().proxies().stream()
                    .mapToLong(FaultProxy::droppedReplies)
                    .sum();
        }
    },
    SLOW("each message between any process and the server takes 200 to 400 ms, each way", Fault.remote()) {
        /** First a hold outlasts its lease, then the lock changes hands, all on the slow link. */
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            long requests = delayed(trial, Direction.TO_SERVER);
            long replies = delayed(trial, Direction.TO_CLIENT);
            trial.strikesNobody();
            trial.site().proxies().forEach(proxy -> proxy.latency(LEAST_DELAY, MOST_DELAY));
            trial.outlast();
            holder.go();
            trial.outlast();
            trial.site().proxies().forEach(FaultProxy::heal);
            trial.healedNobody(
                    delayed(trial, Direction.TO_SERVER) > requests && delayed(trial, Direction.TO_CLIENT) > replies);
        }

        private long delayed(Trial trial, Direction direction) {
            return trial.site().proxies().stream()
                    .mapToLong(proxy -> proxy.delayedBytes(direction))
                    .sum();
        }
    },
    FREEZE("the server is stopped for longer than the lease, and goes on", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikesServer();
            trial.site().freeze();
            trial.outlast();
            trial.site().thaw();
            trial.healedServer(true);
            holder.go();
        }
    },
    RESTART("the server is killed and started again with its data", Fault.remote()) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeServer(trial, () -> {
                trial.site().restart();
                return true;
            });
        }
    },
    EMPTY("the server is killed and started again without its data", EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            RESTART.strike(trial);
        }
    },
    FLUSH("`FLUSHALL`", EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeServer(trial, () -> redis(trial).command("FLUSHALL").equals("OK"));
        }
    },
    EVICT("the server's memory is full, and it evicts all keys", EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            RedisServer server = redis(trial);
            strikeServer(trial, () -> {
                long before = evicted(server);
                server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
                server.command("CONFIG", "SET", "maxmemory", "1");
                trial.await(() -> evicted(server) > before);
                server.command("CONFIG", "SET", "maxmemory", "0");
                return true;
            });
        }

        private long evicted(RedisServer server) {
            return server.command("INFO", "stats")
                    .lines()
                    .filter(line -> line.startsWith("evicted_keys:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                    .sum();
        }
    },
    FAILOVER(
            "the server is killed, and its address leads to a replica without the last writes",
            EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            trial.site().cutReplica();
            trial.awaitNextHold();
            strikeServer(trial, trial.site()::failOver);
        }
    },
    SENTINEL(
            "the master is killed, the Sentinels let a replica take over, and it comes back as a replica",
            EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeServer(trial, trial.site()::failOver);
            trial.site().repair();
        }
    },
    STALE_MASTER(
            "the master is stopped until the Sentinels have let a replica take over, and goes on as a master",
            EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            SENTINEL.strike(trial);
        }
    },
    CLUSTER(
            "in a cluster the master with the lock is killed, its replica takes over, and it comes back as one",
            EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            SENTINEL.strike(trial);
        }
    },
    RESHARD("the lock moves to another master of the cluster, within a second or so", EnumSet.of(Store.REDIS)) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeServer(trial, trial.site()::reshard);
        }
    },
    LEADER("the leader of three servers is killed, and started again", EnumSet.of(Store.ZOOKEEPER, Store.ETCD)) {
        @Override
        void strike(Trial trial) throws Exception {
            strikeServer(trial, () -> {
                trial.site().changeLeader();
                return true;
            });
        }
    },
    DEADLOCK(
            "transactions of somebody else get into deadlocks with the clients', and PostgreSQL ends these (40P01)",
            EnumSet.of(Store.POSTGRESQL)) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikesServer();
            trial.healedServer(trial.site().deadlock(Trial.OUTLASTING));
            holder.go();
        }
    },
    DISK(
            "nothing can be written to the server's disk for longer than the lease",
            EnumSet.of(Store.REDIS, Store.POSTGRESQL, Store.SQLITE)) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikesServer();
            trial.site().fillDisk(trial.pids());
            trial.outlast();
            trial.healedServer(trial.site().emptyDisk(trial.pids()));
            holder.go();
        }
    },
    CLOCK("the clock of the holder's process is set on by an hour, and back", Fault.all()) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikesNobody();
            holder.jvm().send("clock PT1H");
            trial.outlast();
            holder.jvm().send("clock PT0S");
            trial.healedNobody(true);
            holder.go();
        }
    },
    CLOCK_SERVER(
            "the clock of the server is set on by an hour, and back",
            EnumSet.of(Store.REDIS, Store.POSTGRESQL, Store.ZOOKEEPER)) {
        @Override
        void strike(Trial trial) throws Exception {
            TrialClient holder = trial.holder();
            trial.strikesNobody();
            trial.site().clock(Duration.ofHours(1));
            trial.outlast();
            trial.site().clock(Duration.ZERO);
            trial.healedNobody(true);
            holder.go();
        }
    };

    private static final double LOSS = 0.05;
    private static final Duration LEAST_DELAY = Duration.ofMillis(200);
    private static final Duration MOST_DELAY = Duration.ofMillis(400);

    private final String title;

    // Nobody changes it.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Store> stores;

    Fault(String title, Set<Store> stores) {
        this.title = title;
        this.stores = stores;
    }

    /**
     * The one of this name.
     *
     * @throws IllegalArgumentException if there is none; the message names all
     */
    static Fault of(String id) {
        return Arrays.stream(values())
                .filter(fault -> fault.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--fault must be one of " + ids() + ": " + id));
    }

    static String ids() {
        return Arrays.stream(values()).map(Fault::id).collect(Collectors.joining(", "));
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it is, for people. */
    String title() {
        return title;
    }

    /** How the servers are set up. */
    Setup setup() {
        return switch (this) {
            case RESTART -> Setup.DURABLE;
            case DISK -> Setup.ON_DISK;
            case CLOCK_SERVER -> Setup.SETTABLE_CLOCK;
            case FAILOVER -> Setup.REPLICATED;
            case SENTINEL -> Setup.SENTINELS;
            case STALE_MASTER -> Setup.SENTINELS_STALE;
            case CLUSTER -> Setup.CLUSTER_REPLICATED;
            case RESHARD -> Setup.CLUSTER;
            case LEADER -> Setup.LEADER;
            case DEADLOCK -> Setup.DEADLOCKS;
            default -> Setup.PLAIN;
        };
    }

    /** Whether it says anything about this subject: a control is for the faults that show its mistake. */
    boolean strikes(Subject subject) {
        return stores.contains(subject.store())
                && switch (subject) {
                    case CONTROL_UNOWNED -> this == STOP;
                    case CONTROL_IMMORTAL -> this == KILL;
                    case CONTROL_HASTY -> this == SLOW;
                    case CONTROL_ONCE -> this == DEADLOCK;
                    default -> true;
                };
    }

    /** Strikes once; returns when it is over. */
    abstract void strike(Trial trial) throws Exception;

    private static Set<Store> all() {
        return EnumSet.allOf(Store.class);
    }

    private static Set<Store> remote() {
        return EnumSet.complementOf(EnumSet.of(Store.SQLITE));
    }

    private static RedisServer redis(Trial trial) {
        return ((RedisSite) trial.site()).server();
    }

    /** Breaks the server under a process that holds the lock, which then goes on for longer than its lease. */
    private static void strikeServer(Trial trial, Callable<Boolean> fault) throws Exception {
        TrialClient holder = trial.holder();
        trial.strikesServer();
        boolean hit = fault.call();
        trial.healedServer(hit);
        trial.outlast();
        holder.go();
    }

    /** Breaks the network between the holder's process and the server. */
    private static void strikeProxy(Trial trial, Consumer<FaultProxy> fault, ToLongFunction<FaultProxy> count)
            throws Exception {
        TrialClient holder = trial.holder();
        FaultProxy proxy = trial.site().proxies().get(holder.place());
        long before = count.applyAsLong(proxy);
        trial.strikes(holder);
        fault.accept(proxy);
        trial.outlast();
        boolean hit = count.applyAsLong(proxy) > before;
        proxy.heal();
        trial.healed(holder, hit);
        holder.go();
    }
}
