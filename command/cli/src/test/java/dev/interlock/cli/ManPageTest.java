package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page is written by hand: it has the commands and options that there are, each in its place. */
final class ManPageTest {

    private static final Path PAGE = Path.of("src/dist/man/interlock.1");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[A-Za-z][a-z-]*");

    /** Under OPTIONS, for all commands. */
    private static final Set<String> COMMON = Set.of("-h", "--help", "-V", "--version", "--store", "-v", "--verbose");

    @Test
    void eachCommand_hasASectionWithItsOptions() throws IOException {
        assertThat(sections()).containsExactlyInAnyOrderEntriesOf(commands());
    }

    @Test
    void optionsOfAllCommands_areDescribedOnce() throws IOException {
        String page = page();
        String common = page.substring(page.indexOf("\n.SH OPTIONS\n"), page.indexOf("\n.SH COMMANDS\n"));

        assertThat(options(common)).isEqualTo(COMMON);
    }

    /** The options of each command, but for those of all. */
    private static Map<String, Set<String>> commands() {
        Map<String, Set<String>> found = new TreeMap<>();
        CommandLines.parser("").getSubcommands().forEach((name, command) -> found.put(name, own(command)));
        return found;
    }

    private static Set<String> own(CommandLine command) {
        Set<String> names = new TreeSet<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            names.addAll(Set.of(option.names()));
        }
        // Of latch there is one section: its commands have little to say.
        command.getSubcommands().values().forEach(nested -> names.addAll(own(nested)));
        names.removeAll(COMMON);
        return names;
    }

    /** The options in the headings of each part of COMMANDS. */
    private static Map<String, Set<String>> sections() throws IOException {
        String page = page();
        String commands = page.substring(page.indexOf("\n.SH COMMANDS\n"), page.indexOf("\n.SH STORES\n"));
        Map<String, Set<String>> found = new TreeMap<>();
        for (String section : commands.split("\n\\.SS ", -1)) {
            if (!section.startsWith("\n.SH")) {
                Set<String> named = new TreeSet<>();
                for (String paragraph : section.split("\n\\.TP\n", -1)) {
                    named.addAll(options(
                            paragraph.startsWith("\\fB\\-")
                                    ? paragraph.lines().findFirst().get()
                                    : ""));
                }
                found.put(section.lines().findFirst().orElseThrow(), named);
            }
        }
        return found;
    }

    private static Set<String> options(String text) {
        Set<String> found = new HashSet<>();
        OPTION.matcher(text.replace("\\-", "-").replaceAll("\\\\f[BIR]", " "))
                .results()
                .forEach(match -> found.add(match.group()));
        return found;
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }
}
