package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Redirect;
import dev.interlock.redis.command.Reply;
import dev.interlock.redis.connection.HelloReply;
import dev.interlock.support.Host;
import dev.interlock.testkit.fuzz.Fuzz;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Replies and errors of a server, or of a proxy in front of it. */
class ReplyFuzzTest {

    private static final int SLOTS = 16_384;

    @Test
    void error() {
        Fuzz.of("redis error", "MOVED 3999 127.0.0.1:6381", "ASK 16383 [::1]:6381", "MOVED 0 :7000")
                .words("MOVED ", "ASK ", "TRYAGAIN", "CLUSTERDOWN", "-READONLY ", "16384", "65536", ":")
                .regressions("MOVED 16384 h:1", "ASK -1 h:1", "MOVED 1 h:70000", "MOVED 1 h:0")
                .run(input -> {
                    Redirect redirect = Redirect.of(input);
                    if (redirect == null || redirect.kind().compareTo(Redirect.Kind.ASK) > 0) {
                        return false;
                    }
                    assertThat(redirect.slot()).isBetween(0, SLOTS - 1);
                    assertThat(redirect.port()).isBetween(1, 65_535);
                    SlotMap.EMPTY.with(redirect.slot(), new Host(redirect.host(), redirect.port()));
                    return true;
                });
    }

    /** A reply is a line for each element: {@code *2} begins a list of two. */
    private static Reply reply(String text) {
        Reply reply = (Reply) (Object) new PlainCommand(CommandType.CLUSTER, "SLOTS").getOutput();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("*")) {
                reply.multi(number(line.substring(1)));
            } else if (line.startsWith(":")) {
                reply.set((long) number(line.substring(1)));
            } else {
                reply.set(ByteBuffer.wrap(line.getBytes(UTF_8)));
            }
        }
        return reply;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Refused by any exception, after which the next server is asked: {@code Cluster} catches them all. */
    @Test
    void slots() {
        Fuzz.of(
                        "redis slots",
                        "*2\n*3\n:0\n:8191\n*3\nh1\n:7000\nid\n*3\n:8192\n:16383\n*4\n::1\n:7001\nid\n*2\nname\nx",
                        "*1\n*3\n:0\n:16383\n*3\n\n:7000\nid")
                .words("*0", "*2147483647", "\n*3", "\n:", ":65536", ":0", ":-1", "?")
                .regressions("*1\n*3\n:0\n:9\n*2\nh\n:65536")
                .run(input -> {
                    SlotMap map;
                    try {
                        map = SlotMap.of(reply(input), "asked");
                    } catch (RuntimeException e) {
                        return false;
                    }
                    for (Host host : map.masters()) {
                        assertThat(host.port()).isBetween(1, 65_535);
                        assertThat(host.name()).isNotEmpty();
                    }
                    return true;
                });
    }

    @Test
    void hello() {
        Fuzz.of("redis hello", "*6\nversion\n7.0.9\nmode\ncluster\nrole\nmaster")
                .words("version", "mode", "role", "7", ".", "\n")
                .run(input -> {
                    HelloReply hello = HelloReply.of(reply(input));
                    assertThat(hello.version() + hello.mode() + hello.role()).isNotNull();
                    return hello.isCluster() || hello.isReplica();
                });
    }
}
