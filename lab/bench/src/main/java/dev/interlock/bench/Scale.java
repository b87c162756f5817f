package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * The command that draws the curves of {@code lab/bench/scale.md}: what one client, one server and one name cost as
 * numbers grow. It replaces the lines between the marks of each curve; the words around them stay.
 */
final class Scale {

    static final String HELP =
            """
            usage: lab/bench/scale [--curves held,clients,one,fair,names,used] [--most N] [--page FILE]
              curves  all by default
              most    no number above it; what each curve is made for by default
              page    the page whose curves are replaced; only printed if there is none
            """;

    private static final String MARK = "<!-- curve ";
    private static final String END = "<!-- end -->";

    private final long most;

    private Scale(long most) {
        this.most = most;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length % 2 == 1) {
            System.out.print(HELP);
            return;
        }
        Map<String, String> options = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        List<String> ids = Arrays.asList(options.getOrDefault("--curves", "held,clients,one,fair,names,used")
                .split(",", -1));
        Scale scale = new Scale(Long.parseLong(options.getOrDefault("--most", "10000000")));
        String page = options.get("--page");
        for (String id : ids) {
            List<String> lines = scale.measure(id);
            lines.forEach(System.out::println);
            if (page != null) {
                replace(Path.of(page), id, lines);
            }
        }
        // A client that holds a million leases may still be giving them back.
        System.exit(0);
    }

    /** The lines of a curve, with date and machine. */
    List<String> measure(String id) {
        List<String> lines = new ArrayList<>();
        try (RedisServer server = RedisServer.start()) {
            String machine = Machine.describe(server);
            Curve curve = curve(id, new ScalePoints(server));
            String text = machine + "; at the end " + Machine.load() + ".";
            int half = text.lastIndexOf(' ', 110);
            lines.addAll(List.of(text.substring(0, half), text.substring(half + 1), ""));
            lines.addAll(curve.lines());
        }
        return lines;
    }

    private Curve curve(String id, ScalePoints points) {
        return switch (id) {
            case "held" -> curve(id, "leases", ScalePoints.HELD, 1_000, 1_000_000, points::held);
            case "clients" -> curve(id, "clients", ScalePoints.CLIENTS, 10, 1_000, points::clients);
            case "one" -> curve(id, "waiters", ScalePoints.WAITERS, 100, 100_000, points::waitersOfOneName);
            case "fair" -> curve(id, "waiters", ScalePoints.WAITERS, 100, 10_000, points::waitersInOrder);
            case "names" -> curve(id, "names", ScalePoints.WAITERS, 100, 100_000, points::waitersOfManyNames);
            case "used" -> curve(id, "names", ScalePoints.USED, 1_000, 10_000_000, points::used);
            default -> throw new IllegalArgumentException("Unknown curve: " + id + "\n" + HELP);
        };
    }

    private Curve curve(
            String id, String number, List<String> columns, long from, long to, LongFunction<List<Double>> measured) {
        System.err.println("warming up " + id + " ...");
        System.err.println("not counted: " + measured.apply(from));
        List<Curve.Point> points = LongStream.iterate(from, n -> n <= Math.min(to, most), n -> n * 10)
                .mapToObj(n -> {
                    System.err.println("measuring " + id + " at " + n + " ...");
                    return new Curve.Point(n, measured.apply(n));
                })
                .toList();
        return new Curve(id, number, columns, points);
    }

    private static void replace(Path page, String id, List<String> lines) throws IOException {
        List<String> text = new ArrayList<>(Files.readAllLines(page));
        int from = text.indexOf(MARK + id + " -->");
        if (from < 0) {
            throw new IllegalArgumentException("The page has no line '" + MARK + id + " -->': " + page);
        }
        int to = from + text.subList(from, text.size()).indexOf(END);
        text.subList(from + 1, to).clear();
        text.addAll(from + 1, lines);
        Files.write(page, text);
    }
}
