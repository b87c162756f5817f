package dev.interlock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Which modules are published, what their POMs say, that the BOM has them all, and that each has its rules. */
@Tag("pages")
class PublishedModulesTest {

    /** Those whose names are in their manifests: docs/internals/adr/0035-modules-and-packages.md says why. */
    private static final Set<String> WITHOUT_DESCRIPTOR = Set.of(
            "stores/zookeeper",
            "stores/etcd",
            "lab/testkit",
            "adapters/test",
            "adapters/cdi",
            "adapters/micronaut",
            "adapters/spring-integration",
            "adapters/spring-boot-starter");

    /** What the main code of a room may need: rooms, and modules of rooms. The laboratory may need anything. */
    private static final Map<String, Set<String>> NEEDS = Map.of(
            "core", Set.of(),
            "stores", Set.of("core", "stores/support", "recipes"),
            "recipes", Set.of("core", "stores/support"),
            "adapters", Set.of("core", "stores", "recipes", "adapters"),
            "command", Set.of("core", "stores", "command"));

    private static final Pattern EXPORTED = Pattern.compile("exports\\s+([\\w.]+)\\s*;");

    private static final Pattern EXPLAINED = Pattern.compile("(?m)^\\| `((?:core|bom|\\w+/)[\\w.-]*)` \\|");

    private static final Pattern INCLUDED = Pattern.compile("<include>(dev\\.interlock[\\w.]*)</include>");

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+)");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+)");

    private static final Pattern INHERITS = Pattern.compile("(extends|:) ArchitectureRules\\b");

    /** The class by which a test names the module whose rules it checks. */
    private static final Pattern CHECKED =
            Pattern.compile("(?:super|ArchitectureRules)\\((?:(\\w+)\\.class|Class\\.forName\\(\"([\\w.]+)\"\\))");

    private static final Path ROOT = Path.of(System.getProperty("interlock.target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    @Test
    void modulesWithMainCode_sayWhetherTheyArePublished() {
        assertThat(modules()).filteredOn(Module::hasMainCode).allSatisfy(module -> assertThat(
                        module.property("maven.deploy.skip"))
                .as("maven.deploy.skip in %s/pom.xml: true, or false with an entry in bom/pom.xml", module.folder())
                .isPresent());
    }

    /** One test of each, in its own tests or, for what the test kit needs and for what has no tests, in another's. */
    @Test
    void modulesWithMainCode_inheritTheRulesOfArchitecture() throws IOException {
        List<Module> all = modules();
        List<String> checked = new ArrayList<>();
        for (Module module : all) {
            for (String name : module.checkedClasses()) {
                all.stream().filter(other -> other.hasMainClass(name)).forEach(other -> checked.add(other.folder()));
            }
        }

        assertThat(checked)
                .as("modules of which a test extends ArchitectureRules")
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .filter(Module::hasMainCode)
                        .map(Module::folder)
                        .toList());
    }

    /** So no store needs another, nothing that is published needs a command, and only tests need the laboratory. */
    @Test
    void modules_needOnlyTheRoomsThatTheirsMay() {
        Map<String, String> folders = modules().stream().collect(Collectors.toMap(Module::artifact, Module::folder));

        assertThat(modules())
                .filteredOn(module -> NEEDS.containsKey(module.room()))
                .allSatisfy(module -> assertThat(
                                module.needs().map(folders::get).filter(Objects::nonNull))
                        .as("what the main code of %s needs", module.folder())
                        .allMatch(needed -> NEEDS.getOrDefault(module.room(), Set.of()).stream()
                                .anyMatch(allowed -> needed.equals(allowed) || needed.startsWith(allowed + "/"))));
    }

    /** A line of the table in CONTRIBUTING.md for each, and none for what is not there. */
    @Test
    void modules_areExplained() throws IOException {
        assertThat(EXPLAINED
                        .matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md")))
                        .results()
                        .map(match -> match.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        modules().stream().map(Module::folder).toList());
    }

    @Test
    void theBom_hasThePublishedModules_andNothingElse() {
        Element managed = child(Module.in("bom").pom(), "dependencyManagement").orElseThrow();
        List<String> entries = children(child(managed, "dependencies").orElseThrow(), "dependency")
                .map(entry -> text(entry, "artifactId"))
                .toList();

        assertThat(entries)
                .as("bom/pom.xml")
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        publishedLibraries().map(Module::artifact).toList());
    }

    @Test
    void publishedModules_haveANameAndADescription() {
        assertThat(Stream.concat(publishedLibraries(), Stream.of(Module.in("bom"))))
                .allSatisfy(module -> {
                    assertThat(text(module.pom(), "name")).as(module.folder()).isNotBlank();
                    assertThat(text(module.pom(), "description"))
                            .as(module.folder())
                            .isNotBlank();
                });
    }

    @Test
    void publishedModules_inheritUrlLicenceDevelopersAndScm() {
        Element parent = read(ROOT.resolve("pom.xml"));

        assertThat(text(parent, "url")).isNotBlank();
        assertThat(List.of("licenses", "developers", "scm"))
                .allSatisfy(element -> assertThat(child(parent, element)).isPresent());
        assertThat(publishedLibraries()).allSatisfy(module -> assertThat(
                        text(child(module.pom(), "parent").orElseThrow(), "artifactId"))
                .as(module.folder())
                .isEqualTo("interlock-parent"));
    }

    @Test
    void publishedModules_haveADescriptor_exceptWhereNoneIsPossible() {
        assertThat(publishedLibraries()
                        .filter(module -> module.descriptor().isEmpty())
                        .map(Module::folder))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_DESCRIPTOR);
        assertThat(publishedLibraries()).allSatisfy(module -> assertThat(module.property("module.name"))
                .as("%s has a name on a module path", module.folder())
                .isPresent());
    }

    /** Otherwise a change of what they export would not be noticed. */
    @Test
    void exportedPackages_areComparedWithTheLastRelease() throws IOException {
        Set<String> compared = INCLUDED.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        for (Module module : publishedLibraries().toList()) {
            if (module.descriptor().isPresent()) {
                String descriptor = Files.readString(module.descriptor().get());
                assertThat(EXPORTED.matcher(descriptor).results().map(match -> match.group(1)))
                        .as("packages of %s in the configuration of japicmp", module.folder())
                        .isSubsetOf(compared);
            }
        }
    }

    private static Stream<Module> publishedLibraries() {
        return modules().stream()
                .filter(module -> !module.folder().equals("bom"))
                .filter(module -> module.property("maven.deploy.skip").equals(Optional.of("false")));
    }

    private static List<Module> modules() {
        Element modules = child(read(ROOT.resolve("pom.xml")), "modules").orElseThrow();
        return children(modules, "module")
                .map(module -> Module.in(module.getTextContent()))
                .toList();
    }

    private record Module(String folder, Element pom) {

        static Module in(String folder) {
            return new Module(folder, read(ROOT.resolve(folder).resolve("pom.xml")));
        }

        String artifact() {
            return text(pom, "artifactId");
        }

        String room() {
            return folder.replaceFirst("/.*", "");
        }

        /** The artifacts that its main code needs. */
        Stream<String> needs() {
            return child(pom, "dependencies").stream()
                    .flatMap(all -> children(all, "dependency"))
                    .filter(dependency -> !text(dependency, "scope").equals("test"))
                    .map(dependency -> text(dependency, "artifactId"));
        }

        Optional<String> property(String name) {
            return child(pom, "properties").flatMap(all -> child(all, name)).map(Node::getTextContent);
        }

        boolean hasMainCode() {
            return Files.isDirectory(ROOT.resolve(folder).resolve("src/main"));
        }

        /** The binary names of the classes by which its tests name the modules that they check. */
        List<String> checkedClasses() throws IOException {
            Path tests = ROOT.resolve(folder).resolve("src/test");
            if (!Files.isDirectory(tests)) {
                return List.of();
            }
            List<String> names = new ArrayList<>();
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (file.getFileName().toString().contains("ArchitectureTest.")) {
                        checkedClass(Files.readString(file)).ifPresent(names::add);
                    }
                }
            }
            return names;
        }

        /** Empty if this test inherits no rules. */
        private static Optional<String> checkedClass(String test) {
            Matcher checked = CHECKED.matcher(test);
            if (!INHERITS.matcher(test).find() || !checked.find()) {
                return Optional.empty();
            }
            if (checked.group(2) != null) {
                return Optional.of(checked.group(2));
            }
            String name = "." + checked.group(1);
            return IMPORT.matcher(test)
                    .results()
                    .map(imported -> imported.group(1))
                    .filter(imported -> imported.endsWith(name))
                    .findFirst()
                    .or(() -> PACKAGE.matcher(test)
                            .results()
                            .map(found -> found.group(1) + name)
                            .findFirst());
        }

        boolean hasMainClass(String name) {
            String path = name.replace('.', '/');
            return Stream.of("java/" + path + ".java", "kotlin/" + path + ".kt")
                    .anyMatch(file -> Files.exists(
                            ROOT.resolve(folder).resolve("src/main").resolve(file)));
        }

        Optional<Path> descriptor() {
            return Stream.of("java", "kotlin")
                    .map(language -> ROOT.resolve(folder).resolve("src/main").resolve(language))
                    .map(sources -> sources.resolve("module-info.java"))
                    .filter(Files::exists)
                    .findFirst();
        }
    }

    private static Element read(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalStateException("cannot read " + pom, e);
        }
    }

    private static String text(Element parent, String name) {
        return child(parent, name).map(Node::getTextContent).map(String::strip).orElse("");
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent, name).findFirst();
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeName().equals(name))
                .map(Element.class::cast);
    }
}
