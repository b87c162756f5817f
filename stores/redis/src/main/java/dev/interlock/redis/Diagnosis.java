package dev.interlock.redis;

import static dev.interlock.support.Examination.await;

import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Reply;
import dev.interlock.redis.connection.Handshake;
import dev.interlock.redis.connection.HelloReply;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import io.lettuce.core.protocol.CommandType;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Looks at the masters: what they forget, and when. {@code HELLO} and {@code TIME} need no right that locks do not
 * need; {@code INFO}, {@code CONFIG GET}, {@code SLOWLOG GET} and {@code CLUSTER INFO} may be refused.
 */
final class Diagnosis {

    private static final String ASK_INFO = "give the user +info, or look at INFO yourself";
    private static final String ASK_CONFIG = "give the user +config|get, or look at CONFIG GET yourself";
    private static final String ASK_SLOWLOG = "give the user +slowlog|get, or look at SLOWLOG GET yourself";
    private static final double NEARLY_FULL = 0.9;

    private final Router router;
    private final Settings settings;
    private final boolean sentinels;

    /** @param sentinels whether Sentinels name the master */
    Diagnosis(Router router, Settings settings, boolean sentinels) {
        this.router = router;
        this.settings = settings;
        this.sentinels = sentinels;
    }

    long readClock() {
        PlainCommand time = new PlainCommand(CommandType.TIME);
        router.send(time);
        List<String> parts = await(time).elements();
        return Long.parseLong(parts.get(0)) * 1000 + Long.parseLong(parts.get(1)) / 1000;
    }

    private static void slowCommands(NodeConnection master, String where, Examination found) {
        Reply log = reply(master, CommandType.SLOWLOG, "GET", String.valueOf(SlowCommands.ENTRIES));
        long nowSeconds =
                Long.parseLong(reply(master, CommandType.TIME).elements().get(0));
        SlowCommands.report(log.elements(), log.lengths(), nowSeconds, where, found);
    }

    List<Finding> findings() {
        Collection<NodeConnection> masters = await(router.masters());
        boolean isCluster = router.cluster() != null;
        Examination found = new Examination();
        for (NodeConnection master : masters) {
            String where = masters.size() == 1 ? "" : " " + master.address();
            found.attempt("server" + where, "", () -> version(master, where, found));
        }
        found.good("topology", topology(isCluster, masters.size()));
        if (isCluster) {
            cluster(masters.iterator().next(), found);
        }
        for (NodeConnection master : masters) {
            String where = masters.size() == 1 ? "" : " " + master.address();
            found.attempt("memory and replicas" + where, ifRefused(ASK_INFO), () -> {
                ServerInfo info = new ServerInfo(reply(master, CommandType.INFO).text());
                eviction(info, where, found);
                persistence(master, info, where, found);
                replicas(info, where, isCluster, found);
            });
            found.attempt("slow commands" + where, ifRefused(ASK_SLOWLOG), () -> slowCommands(master, where, found));
        }
        return found.findings();
    }

    /** What to do about a command that this user may not send, or that the server lacks; nothing if it is busy. */
    private static Function<Exception, String> ifRefused(String advice) {
        return failure -> {
            String message = String.valueOf(failure.getMessage());
            return message.contains("NOPERM") || message.contains("unknown command") ? advice : "";
        };
    }

    private static void version(NodeConnection master, String where, Examination found) {
        PlainCommand hello = Handshake.hello();
        master.send(hello);
        HelloReply greeting = HelloReply.of(await(hello));
        found.good("server" + where, "Redis or a server like it, version " + greeting.version());
    }

    private String topology(boolean isCluster, int masters) {
        if (isCluster) {
            return "a cluster of " + masters + (masters == 1 ? " master" : " masters");
        }
        return sentinels ? "the master that Sentinels name" : "one server";
    }

    private void cluster(NodeConnection master, Examination found) {
        found.attempt("cluster", ifRefused("give the user +cluster|info"), () -> {
            ServerInfo info =
                    new ServerInfo(reply(master, CommandType.CLUSTER, "INFO").text());
            String state = info.text("cluster_state");
            if (state.equals("ok")) {
                found.good("cluster", "all slots are served");
            } else {
                found.bad(
                        "cluster",
                        "cluster_state=" + state + ", slots served: " + info.number("cluster_slots_ok"),
                        "see which master is down or has lost its slots, by CLUSTER NODES");
            }
        });
        found.attempt("coverage", ifRefused(ASK_CONFIG), () -> {
            if (setting(master, "cluster-require-full-coverage").equals("yes")) {
                found.warn(
                        "coverage",
                        "one master that is down without a replica makes all others refuse locks",
                        "set cluster-require-full-coverage no");
            } else {
                found.good("coverage", "a master that is down leaves the others at work");
            }
        });
    }

    private static void eviction(ServerInfo info, String where, Examination found) {
        String policy = info.text("maxmemory_policy");
        long limit = info.number("maxmemory");
        if (limit == 0) {
            found.good("eviction" + where, "memory is not limited, so no lock is evicted (maxmemory=0)");
        } else if (!policy.equals("noeviction")) {
            found.warn(
                    "eviction" + where,
                    "locks may be evicted when the memory is full: maxmemory-policy=" + policy,
                    "set maxmemory-policy noeviction");
        } else if (info.number("used_memory") > limit * NEARLY_FULL) {
            found.warn(
                    "eviction" + where,
                    "nothing is evicted, but the memory is nearly full, and then locks are refused: used_memory="
                            + info.number("used_memory") + ", maxmemory=" + limit,
                    "raise maxmemory, or find out what fills it");
        } else {
            found.good("eviction" + where, "nothing is evicted (maxmemory-policy=noeviction)");
        }
    }

    private void persistence(NodeConnection master, ServerInfo info, String where, Examination found) {
        if (info.number("loading") != 0) {
            found.bad("persistence" + where, "the server is loading its data", "wait until it has done so");
        } else if (info.text("aof_last_write_status").equals("err")
                || info.text("rdb_last_bgsave_status").equals("err")) {
            found.bad(
                    "persistence" + where,
                    "the last write to disk has failed, and the server may refuse locks",
                    "see the log of the server: the disk may be full");
        } else if (info.number("aof_enabled") != 0) {
            found.attempt("persistence" + where, ifRefused(ASK_CONFIG), () -> {
                String sync = setting(master, "appendfsync");
                if (sync.equals("always")) {
                    found.good("persistence" + where, "a restart forgets nothing (appendfsync=always)");
                } else {
                    found.note(
                            "persistence" + where,
                            "a crash of the machine forgets the locks of the last moment (appendfsync=" + sync + ")",
                            "let resources refuse old tokens; appendfsync always costs the time of the disk");
                }
            });
        } else {
            found.warn(
                    "persistence" + where,
                    "a restart forgets locks: there is no append-only file, and at best a snapshot (last saved "
                            + info.number("rdb_changes_since_last_save") + " changes ago)",
                    "set appendonly yes, or let resources refuse old tokens");
        }
    }

    private void replicas(ServerInfo info, String where, boolean isCluster, Examination found) {
        long connected = info.number("connected_slaves");
        if (settings.replicas() > connected) {
            found.bad(
                    "failover" + where,
                    "no lock can be acquired: the URI demands " + settings.replicas() + " replicas, connected are "
                            + connected,
                    "start the replicas, or lower replicas in the URI");
        } else if (connected == 0 && (isCluster || sentinels)) {
            found.warn(
                    "failover" + where,
                    "no replica is connected: while the master is down, nobody acquires its locks",
                    "add a replica");
        } else if (connected == 0) {
            found.note(
                    "failover" + where,
                    "there is no replica: while the server is down, nobody acquires a lock",
                    "use Sentinels or a cluster if that may not be");
        } else if (settings.replicas() == 0) {
            found.note(
                    "failover" + where,
                    "a failover forgets the locks that no replica has received yet; connected replicas: " + connected,
                    "demand their confirmation by ?replicas=1 in the URI, and let resources refuse old tokens");
        } else {
            found.good(
                    "failover" + where,
                    "a failover to a replica that has confirmed forgets no lock; confirming: " + settings.replicas()
                            + " of " + connected);
        }
    }

    private static String setting(NodeConnection master, String name) {
        List<String> pair = reply(master, CommandType.CONFIG, "GET", name).elements();
        return pair.size() < 2 ? "" : pair.get(1);
    }

    private static Reply reply(NodeConnection master, CommandType type, String... arguments) {
        PlainCommand command = new PlainCommand(type, arguments);
        master.send(command);
        return await(command);
    }
}
