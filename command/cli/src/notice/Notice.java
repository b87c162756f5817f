import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Writes the NOTICE of the archive and the package, in the folder of the module:
 * {@code java src/notice/Notice.java LIB LICENSE OUT}. It names the licence of
 * each jar of others, and has the text of each: what the jars themselves have, each text once, and for a licence whose
 * text a jar lacks the one beside this file, or, of Apache-2.0, our own.
 */
final class Notice {

    private static final Pattern TEXT = Pattern.compile("(?i)META-INF/(?:.*/)?[^/]*(?:LICENSE|NOTICE)[^/]*");

    private static final Path HERE = Path.of("src/notice");

    private Notice() {}

    public static void main(String[] args) throws IOException {
        Map<String, String> licences = licences();
        Map<String, String> ofJars = new TreeMap<>();
        Map<String, List<String>> texts = new LinkedHashMap<>();
        TreeSet<String> lacking = new TreeSet<>();
        for (Path jar : jars(Path.of(args[0]))) {
            String name = jar.getFileName().toString();
            String licence = licences.entrySet().stream()
                    .filter(entry -> name.startsWith(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(name + " has no licence in licences.txt"));
            ofJars.put(name, licence);
            boolean hasText = false;
            for (Map.Entry<String, String> text : texts(jar).entrySet()) {
                hasText |= text.getKey().toUpperCase(java.util.Locale.ROOT).contains("LICENSE");
                texts.computeIfAbsent(text.getValue(), unused -> new ArrayList<>()).add(name + ", " + text.getKey());
            }
            if (!hasText) {
                lacking.add(licence);
            }
        }
        for (String licence : lacking) {
            Path text = licence.equals("Apache-2.0") ? Path.of(args[1]) : HERE.resolve(licence + ".txt");
            texts.computeIfAbsent(Files.readString(text).strip(), unused -> new ArrayList<>())
                    .add(licence + ", of the jars above without a text of their own");
        }
        Files.writeString(Path.of(args[2]), text(ofJars, texts));
    }

    private static String text(Map<String, String> ofJars, Map<String, List<String>> texts) {
        StringBuilder out =
                new StringBuilder("interlock is licensed under Apache-2.0. It contains these jars of others:\n\n");
        ofJars.forEach((jar, licence) -> out.append("  ").append(jar).append(": ").append(licence).append('\n'));
        texts.forEach((text, origins) -> {
            out.append("\n").append("=".repeat(80)).append('\n');
            origins.forEach(origin -> out.append(origin).append('\n'));
            out.append("=".repeat(80)).append("\n\n").append(text).append('\n');
        });
        return out.toString();
    }

    private static Map<String, String> licences() throws IOException {
        Map<String, String> licences = new LinkedHashMap<>();
        for (String line : Files.readAllLines(HERE.resolve("licences.txt"))) {
            if (!line.startsWith("#")) {
                String[] words = line.split(" +");
                licences.put(words[0], words[1]);
            }
        }
        return licences;
    }

    /** Those of others, by name. */
    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> !file.getFileName().toString().startsWith("interlock-"))
                    .sorted()
                    .toList();
        }
    }

    /** The texts in a jar, by their names. */
    private static Map<String, String> texts(Path jar) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
                if (!entry.isDirectory() && !entry.getName().endsWith(".class")
                        && TEXT.matcher(entry.getName()).matches()) {
                    texts.put(
                            entry.getName(),
                            new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8).strip());
                }
            }
        }
        return texts;
    }
}
