import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Prints the size and the dependency cycles of each module: {@code java .ci/Metrics.java [FOLDER]} after
 * {@code mvn test-compile}.
 *
 * <p>A cycle is a strongly connected component of more than one top-level class (or package) in the graph that {@code
 * jdeps} reports, found by Tarjan's algorithm (R. Tarjan, Depth-first search and linear graph algorithms, 1972).
 */
final class Metrics {

    private static final int COLUMNS = 120;
    private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");
    private static final Pattern EDGE =
            Pattern.compile("^\\s+(dev\\.interlock\\S*)\\s+->\\s+(dev\\.interlock\\S*)\\s.*");

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args.length == 0 ? "." : args[0]);
        System.out.println("module                      main: files  lines    code  >120  test: files  lines  >120"
                + "   classes in cycles  largest  packages in cycles");
        for (Path module : modules(root)) {
            print(root, module);
        }
        System.out.printf("%nMarkdown lines of more than %d columns outside of tables: ", COLUMNS);
        System.out.println(wideDocuments(root));
    }

    /** Those of the reactor, by the POM of the root. */
    private static List<Path> modules(Path root) throws IOException {
        return MODULE.matcher(Files.readString(root.resolve("pom.xml")))
                .results()
                .map(module -> root.resolve(module.group(1)))
                .toList();
    }

    private static void print(Path root, Path module) throws IOException {
        Sources main = Sources.under(module.resolve("src/main"));
        Sources test = Sources.under(module.resolve("src/test"));
        Path classes = module.resolve("target/classes");
        String cycles = "not compiled";
        if (Files.isDirectory(classes) && main.files > 0) {
            Map<String, Set<String>> graph = dependencies(classes);
            List<List<String>> ofClasses = cycles(graph);
            List<List<String>> ofPackages = cycles(packages(graph));
            cycles = String.format(
                    "%11d of %3d %8d %14d of %2d",
                    ofClasses.stream().mapToInt(List::size).sum(),
                    graph.size(),
                    ofClasses.stream().mapToInt(List::size).max().orElse(0),
                    ofPackages.stream().mapToInt(List::size).sum(),
                    packages(graph).size());
        }
        System.out.printf(
                "%-34s %4d %6d %7d %5d %12d %6d %5d %s%n",
                root.relativize(module),
                main.files,
                main.lines,
                main.code,
                main.wide,
                test.files,
                test.lines,
                test.wide,
                cycles);
    }

    private static Map<String, Set<String>> dependencies(Path classes) throws IOException {
        StringWriter out = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of(
                "--ignore-missing-deps", "--multi-release", "base", "-verbose:class", "-filter:none"));
        // Not the folder: with a module-info in it, jdeps would want every module that it requires.
        try (Stream<Path> files = Files.walk(classes)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".class") && !file.endsWith("module-info.class"))
                    .forEach(arguments::add);
        }
        ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(new PrintWriter(out), new PrintWriter(System.err), arguments.toArray(String[]::new));
        Map<String, Set<String>> graph = new TreeMap<>();
        String from = "";
        for (String line : out.toString().lines().toList()) {
            Matcher edge = EDGE.matcher(line);
            if (edge.matches()) {
                add(graph, edge.group(1), edge.group(2));
            } else if (line.startsWith("   dev.interlock")) {
                from = line.strip().split("\\s+")[0];
                add(graph, from, from);
            } else if (line.strip().startsWith("-> dev.interlock")) {
                add(graph, from, line.strip().split("\\s+")[1]);
            }
        }
        graph.values().forEach(targets -> targets.retainAll(graph.keySet()));
        return graph;
    }

    private static void add(Map<String, Set<String>> graph, String from, String to) {
        String source = topLevel(from);
        Set<String> targets = graph.computeIfAbsent(source, name -> new TreeSet<>());
        if (!source.equals(topLevel(to))) {
            targets.add(topLevel(to));
        }
    }

    private static String topLevel(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Map<String, Set<String>> packages(Map<String, Set<String>> classes) {
        Map<String, Set<String>> graph = new TreeMap<>();
        classes.forEach((from, targets) -> {
            Set<String> of = graph.computeIfAbsent(packageOf(from), name -> new TreeSet<>());
            targets.forEach(to -> of.add(packageOf(to)));
            of.remove(packageOf(from));
        });
        return graph;
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** The strongly connected components of more than one node, largest first. */
    private static List<List<String>> cycles(Map<String, Set<String>> graph) {
        Components components = new Components(graph);
        graph.keySet().forEach(components::visit);
        return components.found.stream()
                .filter(component -> component.size() > 1)
                .sorted(Comparator.comparing(component -> -component.size()))
                .toList();
    }

    private static final class Components {
        final List<List<String>> found = new ArrayList<>();
        private final Map<String, Set<String>> graph;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> low = new HashMap<>();
        private final Deque<String> stack = new ArrayDeque<>();

        Components(Map<String, Set<String>> graph) {
            this.graph = graph;
        }

        void visit(String node) {
            if (index.containsKey(node)) {
                return;
            }
            index.put(node, index.size());
            low.put(node, index.get(node));
            stack.push(node);
            for (String next : graph.get(node)) {
                if (!index.containsKey(next)) {
                    visit(next);
                    low.merge(node, low.get(next), Math::min);
                } else if (stack.contains(next)) {
                    low.merge(node, index.get(next), Math::min);
                }
            }
            if (low.get(node).equals(index.get(node))) {
                List<String> component = new ArrayList<>();
                String member;
                do {
                    member = stack.pop();
                    component.add(member);
                } while (!member.equals(node));
                found.add(component);
            }
        }
    }

    private static final class Sources {
        int files;
        int lines;

        /** Lines with more than white space, a comment or punctuation. */
        int code;

        int wide;

        static Sources under(Path folder) throws IOException {
            Sources sources = new Sources();
            if (Files.isDirectory(folder)) {
                try (Stream<Path> found = Files.walk(folder)) {
                    for (Path file : found.filter(path -> path.toString().endsWith(".java")).toList()) {
                        sources.count(Files.readAllLines(file));
                    }
                }
            }
            return sources;
        }

        private void count(List<String> text) {
            files++;
            lines += text.size();
            for (String line : text) {
                wide += line.length() > COLUMNS ? 1 : 0;
                code += line.strip().matches("(//.*|/?\\*.*|\\W*)") ? 0 : 1;
            }
        }
    }

    private static long wideDocuments(Path root) throws IOException {
        long wide = 0;
        try (Stream<Path> found = Files.walk(root)) {
            List<Path> documents = found.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> !root.relativize(path).toString().contains("target"))
                    .toList();
            for (Path document : documents) {
                wide += Files.readAllLines(document).stream()
                        .filter(line -> line.length() > COLUMNS && !line.startsWith("|"))
                        .count();
            }
        }
        return wide;
    }
}
