package dev.interlock.redis;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.fence.FenceHeader;
import dev.interlock.testkit.process.ChildMain;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * A process that holds a lock (URI, name) and writes when it is told to, without another look at its lease: by a fenced
 * or a plain SET of a key, or by a PUT to an address.
 */
final class LateWriter {

    static final String VALUE = "late";

    private LateWriter() {}

    public static void main(String[] arguments) throws Exception {
        ChildMain parent = new ChildMain();
        String uri = arguments[0];
        try (Interlock client = Interlock.connect(uri);
                RedisClient redis = RedisClient.create(uri);
                StatefulRedisConnection<String, String> connection = redis.connect()) {
            connection.sync().ping();
            Lease lease = client.lock(arguments[1]).acquire(LeaseTerm.renewing(Duration.ofSeconds(1)));
            parent.say("held " + lease.token());
            parent.hearOrDie();
            parent.say("wrote " + write(arguments[2], arguments[3], lease, connection));
            parent.hearOrDie();
        }
    }

    private static String write(
            String how, String target, Lease lease, StatefulRedisConnection<String, String> connection)
            throws IOException, InterruptedException {
        return switch (how) {
            case "plain" -> connection.sync().set(target, VALUE);
            case "fenced" ->
                FencedRedis.over(connection.async())
                        .set(target, VALUE, lease.token())
                        .toCompletableFuture()
                        .join()
                        .toString();
            case "http" -> put(target, lease);
            default -> throw new IllegalArgumentException("plain, fenced or http: " + how);
        };
    }

    private static String put(String address, Lease lease) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header(FenceHeader.NAME, FenceHeader.of(lease.token()).toString())
                .PUT(HttpRequest.BodyPublishers.ofString(VALUE))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " "
                + response.headers().firstValue(FenceHeader.MAXIMUM).orElse("-");
    }
}
