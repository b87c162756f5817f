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
 * Prints the size of the house, and the size and the dependency cycles of each module:
 * {@code java .ci/Metrics.java [FOLDER]} after {@code mvn test-compile}.
 *
 * <p>A word is what has a letter or a digit. Code is a line with more than white space, a comment or punctuation.
 *
 * <p>A cycle is a strongly connected component of more than one top-level class (or package) in the graph that {@code
 * jdeps} reports, found by Tarjan's algorithm (R. Tarjan, Depth-first search and linear graph algorithms, 1972).
 */
final class Metrics {

    private static final int COLUMNS = 120;
    private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");
    private static final Pattern TEST =
            Pattern.compile("\\s(?:void|Stream<Dynamic\\w+>|List<Dynamic\\w+>) (\\w+)\\(");
    private static final Pattern METHOD = Pattern.compile("\\(.*\\).*;");
    private static final Pattern TYPE = Pattern.compile(
            "^(public )?(?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|@interface|enum|record) \\w");
    private static final Pattern EDGE =
            Pattern.compile("^\\s+(dev\\.interlock\\S*)\\s+->\\s+(dev\\.interlock\\S*)\\s.*");

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args.length == 0 ? "." : args[0]);
        printHouse(root);
        printApi(root.resolve("core/target/classes"));
        System.out.println("module                      main: files  lines    code  >120  package-private"
                + "  test: files  lines  >120   classes in cycles  largest  packages in cycles");
        for (Path module : modules(root)) {
            print(root, module);
        }
        System.out.printf("%nMarkdown lines of more than %d columns outside of tables: ", COLUMNS);
        System.out.println(wideDocuments(root));
    }

    private static void printHouse(Path root) throws IOException {
        List<Path> modules = modules(root);
        int published = 0;
        int poms = lines(root.resolve("pom.xml"));
        for (Path module : modules) {
            boolean isPublished = !root.relativize(module).startsWith("lab");
            published += isPublished ? Sources.under(module.resolve("src/main")).code : 0;
            poms += lines(module.resolve("pom.xml"));
        }
        Map<String, Integer> words = new TreeMap<>();
        for (Path document : documents(root)) {
            Path folder = root.relativize(document).getParent();
            words.merge(folder == null ? "." : folder.toString(), words(document), Integer::sum);
        }
        System.out.printf("folders at the root         %s%n", folders(root));
        System.out.printf("modules                     %d%n", modules.size());
        System.out.printf("lines of POMs               %d%n", poms);
        System.out.printf("code outside of lab         %d%n", published);
        System.out.printf("longest name of a test      %s%n", longestTestName(modules));
        System.out.printf("decisions                   %d%n", documents(root.resolve("docs/internals/adr")).size() - 1);
        System.out.printf("words of README.md          %d%n", words(root.resolve("README.md")));
        System.out.printf(
                "words of all documents      %d%n",
                words.values().stream().mapToInt(Integer::intValue).sum());
        words.forEach((folder, count) -> System.out.printf("  %-25s %d%n", folder, count));
        System.out.println();
    }

    private static int lines(Path file) throws IOException {
        return Files.readAllLines(file).size();
    }

    private static int words(Path document) throws IOException {
        return (int) WORD.matcher(Files.readString(document)).results().count();
    }

    private static List<String> folders(Path root) throws IOException {
        try (Stream<Path> found = Files.list(root)) {
            return found.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !name.equals("target"))
                    .sorted()
                    .toList();
        }
    }

    private static String longestTestName(List<Path> modules) throws IOException {
        String longest = "";
        for (Path module : modules) {
            for (Path file : javaFiles(module.resolve("src"))) {
                for (String name : TEST.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .toList()) {
                    longest = name.length() > longest.length() ? name : longest;
                }
            }
        }
        return longest.length() + ": " + longest;
    }

    /** How many methods each public type of the API has. */
    private static void printApi(Path classes) throws IOException {
        for (String name : List.of("dev/interlock", "dev/interlock/spi")) {
            Map<String, Long> methods = new TreeMap<>();
            if (Files.isDirectory(classes.resolve(name))) {
                try (Stream<Path> files = Files.list(classes.resolve(name))) {
                    for (Path file : files.filter(path -> path.toString().matches(".*/[A-Z]\\w*\\.class"))
                            .toList()) {
                        String shown = run("javap", "-public", file.toString());
                        if (shown.contains("public ")) {
                            String type = file.getFileName().toString().replace(".class", "");
                            methods.put(type, METHOD.matcher(shown).results().count());
                        }
                    }
                }
            }
            System.out.printf("public types of %s, with their methods: %d%n  %s%n%n", name, methods.size(), methods);
        }
    }

    private static String run(String tool, String... arguments) {
        StringWriter out = new StringWriter();
        ToolProvider.findFirst(tool)
                .orElseThrow()
                .run(new PrintWriter(out), new PrintWriter(System.err), arguments);
        return out.toString();
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(path -> path.toString().endsWith(".java")).toList();
        }
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
                "%-34s %4d %6d %7d %5d %13d of %3d %11d %6d %5d %s%n",
                root.relativize(module),
                main.files,
                main.lines,
                main.code,
                main.wide,
                main.hidden,
                main.types,
                test.files,
                test.lines,
                test.wide,
                cycles);
    }

    private static Map<String, Set<String>> dependencies(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--ignore-missing-deps", "--multi-release", "base", "-verbose:class", "-filter:none"));
        // Not the folder: with a module-info in it, jdeps would want every module that it requires.
        try (Stream<Path> files = Files.walk(classes)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".class") && !file.endsWith("module-info.class"))
                    .forEach(arguments::add);
        }
        String shown = run("jdeps", arguments.toArray(String[]::new));
        Map<String, Set<String>> graph = new TreeMap<>();
        String from = "";
        for (String line : shown.lines().toList()) {
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

        int code;

        /** Types of a file of their own, and those of them that are package-private. */
        int types;

        int hidden;

        int wide;

        static Sources under(Path folder) throws IOException {
            Sources sources = new Sources();
            for (Path file : javaFiles(folder)) {
                sources.count(Files.readAllLines(file));
            }
            return sources;
        }

        private void count(List<String> text) {
            files++;
            lines += text.size();
            for (String line : text) {
                wide += line.length() > COLUMNS ? 1 : 0;
                code += line.strip().matches("(//.*|/?\\*.*|\\W*)") ? 0 : 1;
                Matcher type = TYPE.matcher(line);
                if (type.find()) {
                    types++;
                    hidden += type.group(1) == null ? 1 : 0;
                }
            }
        }
    }

    private static long wideDocuments(Path root) throws IOException {
        long wide = 0;
        for (Path document : documents(root)) {
            wide += Files.readAllLines(document).stream()
                    .filter(line -> line.length() > COLUMNS && !line.startsWith("|"))
                    .count();
        }
        return wide;
    }

    private static List<Path> documents(Path root) throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            return found.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> !root.relativize(path).toString().contains("target"))
                    .toList();
        }
    }
}
