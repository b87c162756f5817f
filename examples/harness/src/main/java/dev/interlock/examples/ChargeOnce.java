package dev.interlock.examples;

import dev.interlock.examples.Instance.Answer;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Runs two instances of the service of {@code charge-once}, delivers each order to both of them at the same time, kills
 * and stops instances meanwhile, and counts in the ledger how often each order was charged.
 */
public final class ChargeOnce implements AutoCloseable {

    /** Some order was charged more than once, or not at all. */
    private static final int WRONG = 3;

    private static final int USAGE = 64;

    private static final long PUBLISH_MILLIS = 100;

    /** Longer than the lease of the service. */
    private static final long STOP_SECONDS = 5;

    private static final String REQUEST = "http post /orders/{order}/charge";
    private static final Duration SPANS = Duration.ofMinutes(1);

    private final Path project;
    private final boolean withLock;
    private final long seconds;
    private final RedisServer redis = RedisServer.start();
    private final PostgresServer database = PostgresServer.start();
    private final Spans spans = new Spans();
    private final Orders orders;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Instance> killed = new ArrayList<>();
    private final List<Address> addresses = new ArrayList<>();
    private int stopped;

    private ChargeOnce(Path project, boolean withLock, long seconds) throws IOException, SQLException {
        this.project = project;
        this.withLock = withLock;
        this.seconds = seconds;
        this.orders = new Orders(database.url(), Files.readString(project.resolve("schema.sql")));
    }

    /** The folder of the service, then {@code --seconds N}, {@code --minutes N}, {@code --without-lock}. */
    public static void main(String[] args) throws Exception {
        long seconds = 20;
        boolean withLock = true;
        try {
            for (int i = 1; i < args.length; i++) {
                switch (args[i]) {
                    case "--seconds" -> seconds = Long.parseLong(args[++i]);
                    case "--minutes" -> seconds = TimeUnit.MINUTES.toSeconds(Long.parseLong(args[++i]));
                    case "--without-lock" -> withLock = false;
                    default -> throw new IllegalArgumentException(args[i]);
                }
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            System.err.println("usage: charge-once/run [--seconds N | --minutes N] [--without-lock]");
            System.exit(USAGE);
        }
        int status;
        try (ChargeOnce run = new ChargeOnce(Path.of(args[0]), withLock, seconds)) {
            status = run.run();
        }
        System.exit(status);
    }

    private int run() throws Exception {
        for (String name : List.of("A1", "B1")) {
            addresses.add(new Address(orders, start(name)));
        }
        say("two instances run; each order is delivered to both at the same time");
        Thread publisher = new Thread(this::publish, "publisher");
        publisher.setDaemon(true);
        publisher.start();
        if (withLock) {
            disturb();
        } else {
            TimeUnit.SECONDS.sleep(seconds);
        }
        publisher.interrupt();
        publisher.join();
        Awaitility.await("all orders are delivered").atMost(Patience.FULL).until(() -> addresses.stream()
                .allMatch(address -> address.delivered() >= orders.last()));
        return report();
    }

    private void publish() {
        try {
            while (true) {
                orders.publish();
                TimeUnit.MILLISECONDS.sleep(PUBLISH_MILLIS);
            }
        } catch (InterruptedException e) {
            // Enough.
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Goes on until the time is over, each instance has been killed, and one that was stopped has written late. */
    private void disturb() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int round = 0; round < 2 || System.nanoTime() < end || !hasStruck(); round++) {
            kill(addresses.get(round % 2));
            stop(addresses.get(round % 2));
        }
    }

    /** Whether a late charge was refused, or made. */
    private boolean hasStruck() throws SQLException {
        return late() > 0 || orders.chargedTwice() > 0;
    }

    /** Kills the process while it works at orders, and starts another one in its place. */
    private void kill(Address address) throws IOException {
        Instance instance = address.instance();
        awaitWork(instance);
        instance.kill();
        killed.add(instance);
        say("killed " + instance + " while it worked at an order");
        address.replace(start(instance.toString().charAt(0) + "" + (1 + killed.size())));
    }

    /** Stops the process for longer than its lease while it works at orders. */
    private void stop(Address address) throws Exception {
        Instance instance = address.instance();
        long open = 0;
        while (open == 0) {
            awaitWork(instance);
            instance.stop();
            open = orders.openAt(instance);
            if (open == 0) {
                instance.resume();
            }
        }
        TimeUnit.SECONDS.sleep(STOP_SECONDS);
        instance.resume();
        stopped++;
        say("stopped " + instance + " for " + STOP_SECONDS + " s, which is longer than its lease, while it worked at "
                + open + (open == 1 ? " order" : " orders"));
    }

    private void awaitWork(Instance instance) {
        Awaitility.await(instance + " works at an order")
                .atMost(Patience.FULL)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> orders.openAt(instance) > 0);
    }

    private Instance start(String name) throws IOException {
        Instance instance = Instance.start(
                name,
                project.resolve("target/charge-once.jar"),
                project.resolve("../target/charge-once").normalize(),
                Map.of("REDIS_URI", redis.uri(), "DATABASE_URL", database.url(), "SPANS_URI", spans.uri(name)),
                withLock ? List.of() : List.of("--interlock.locked.enabled=false"));
        instances.add(instance);
        return instance;
    }

    private int report() throws Exception {
        long count = orders.last();
        long once = orders.chargedOnce();
        long twice = orders.chargedTwice();
        if (once != count) {
            say("WRONG: of " + count + " orders " + once + " were charged once, " + twice + " more than once, "
                    + (count - once - twice) + " not at all");
            return WRONG;
        }
        List<String> mismatches = withLock ? mismatches() : List.of();
        if (!mismatches.isEmpty()) {
            say("the ledger is right, but the metrics are not: " + mismatches);
            return 1;
        }
        say(count + " orders, each charged once; " + killed.size() + " instances killed, " + stopped
                + " stopped beyond their lease; " + late() + " late writers refused"
                + (withLock ? "; metrics and spans match" : ""));
        return 0;
    }

    private long late() {
        return instances.stream()
                .mapToLong(instance -> instance.count(Answer.LATE))
                .sum();
    }

    /** Where the metrics of those that live differ from what they have answered, and from the ledger. */
    private List<String> mismatches() throws Exception {
        List<String> found = new ArrayList<>();
        for (Address address : addresses) {
            Instance instance = address.instance();
            long charged = instance.count(Answer.CHARGED);
            long lost = instance.count(Answer.LATE, Answer.LOST);
            long failed = instance.count(Answer.FAILED);
            long held = charged + instance.count(Answer.CHARGED_BEFORE) + lost + failed;
            long acquired = instance.meter("interlock.acquisitions?tag=outcome:acquired");
            expect(found, instance, "acquisitions", held, held, acquired);
            expect(found, instance, "holds", held, held, instance.meter("interlock.hold"));
            expect(found, instance, "leases", 0, 0, instance.meter("interlock.leases.active"));
            expect(found, instance, "waiters", 0, 0, instance.meter("interlock.waiters"));
            expect(found, instance, "losses", lost, lost + failed, instance.meter("interlock.losses"));
            // Spans come later: they are sent in batches.
            awaitSpans(instance, "hold lock", held);
            awaitSpans(instance, "acquire lock", held + instance.count(Answer.BUSY));
            // A charge whose lock was lost before it was released is in the ledger, and answered as lost.
            expect(found, instance, "charges", charged, charged + lost + failed, orders.chargesOf(instance));
        }
        return found;
    }

    /** Each belongs to the request for which the lock was acquired. */
    private void awaitSpans(Instance instance, String name, long count) {
        Awaitility.await(instance + " sends its spans '" + name + "', " + count)
                .atMost(SPANS)
                .until(() -> spans.count(instance.toString(), name, REQUEST) == count);
    }

    private static void expect(List<String> found, Instance instance, String what, long least, long most, long actual) {
        if (actual < least || actual > most) {
            found.add(instance + " " + what + "=" + actual + ", expected " + least
                    + (least == most ? "" : " to " + most));
        }
    }

    private static void say(String line) {
        System.out.println("charge-once: " + line);
    }

    @Override
    public void close() throws SQLException {
        addresses.forEach(Address::close);
        instances.forEach(Instance::close);
        orders.close();
        spans.close();
        database.close();
        redis.close();
    }
}
