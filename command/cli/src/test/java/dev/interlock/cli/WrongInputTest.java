package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong input: one line that says what is wrong and what is allowed, and the right exit code. */
final class WrongInputTest {

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "                            | a command is missing; allowed are run, lead, ls, show,",
                "jump                        | interlock: there is no command 'jump'; allowed are run, lead",
                "unlok                       | there is no command 'unlok' (did you mean 'unlock'?); allowed",
                "latch up x                  | interlock: latch: there is no command 'up'; allowed are set, "
                        + "down, wait",
                "latch don x                 | 'don' (did you mean 'down'?)",
                "--jump                      | interlock: there is no option '--jump'",
                "ls --jsn                    | interlock: ls: there is no option '--jsn' (did you mean "
                        + "'--json'?); allowed are --store",
                "run --jump x true           | interlock: run: there is no option '--jump'",
                "help jump                   | 'jump'",
                "run                         | interlock: run: Missing required parameters: 'NAME', 'COMMAND'; allowed "
                        + "is: interlock run [--store URI]",
                "run job                     | 'COMMAND'; allowed is: interlock run",
                "run job --                  | the program to run is missing",
                "run '' true                 | A lock name must not be empty; give it 1 to 512 bytes",
                "run LONG true               | must not exceed 512 bytes of UTF-8: this one has 513",
                "show LONG                   | must not exceed 512 bytes",
                "unlock --force --yes ''     | must not be empty",
                "run -w 5 job true           | '5' is not a duration; write 500ms",
                "run -w '' job true          | '' is not a duration",
                "run --lease soon job true   | 'soon' is not a duration",
                "run --lease 1ms job true    | --lease: allowed is 50ms to 365d",
                "run -n -w 5s job true       | -n and -w exclude each other",
                "run -w 1s -w 2s job true    | only once",
                "run --permits 3/2 job true  | --permits must be N/M, with N from 1 to M: 3/2",
                "run --permits 0/2 job true  | --permits must be N/M",
                "run --permits two job true  | --permits must be N/M",
                "run --permits 1/9999999999 job true | --permits must be N/M",
                "run --fair --permits 1/2 job true | --fair and --permits exclude each other",
                "run --shared --exclusive job true | --shared and --exclusive exclude each other",
                "latch                       | what to do with the latch is missing; allowed are set, "
                        + "down and wait",
                "latch set x 0               | COUNT must be 1 or more: 0",
                "latch set x                 | COUNT",
                "latch wait -w soon x        | 'soon' is not a duration",
                "latch down LONG             | must not exceed 512 bytes",
                "run -E 256 job true         | an exit code from 0 to 255: 256",
                "run -E many job true        | 'many' is not",
                "run -w                      | -w",
                "ls a b                      | interlock: ls: 'b' is one argument too many; allowed is: "
                        + "interlock ls",
                "ls --limit 0                | --limit must be 1 or more: 0",
                "ls --store sqlite:?x=1      | must name a file",
                "ls --store locks.db         | --store must be a URI that begins with a scheme",
                "ls --store redsi://host     | 'redsi'; known are [etcd,",
                "ls --store sqlite:          | --store must be a URI",
                "ls --store sqlite:/tmp/%zz  | two hexadecimal digits",
                "ls --store redis://host:port | port",
                "ls --store redis://u:secret@host:99999 | 99999",
                "ls --store postgres://u:secret@host/db | the scheme 'postgres'; did you mean jdbc:postgresql://?",
                "ls --store postgresql://host/db | did you mean jdbc:postgresql://?",
                "ls --store mysql://u:secret@host/db | did you mean jdbc:mysql://?",
                "ls --store mariadb://host/db | did you mean jdbc:mariadb://?",
                "ls --store localhost:6379   | did you mean redis://localhost:6379?",
                "ls --store 10.0.0.1:6379    | did you mean redis://10.0.0.1:6379?",
                "ls --store db.example:5432/orders | did you mean jdbc:postgresql://db.example:5432?",
                "ls --store zoo1:2181,zoo2:2181 | did you mean zk://zoo1:2181?",
                "ls --store http://host:2379 | the scheme 'http'; did you mean etcd://host:2379?",
                "ls --store redis:host:6379  | redis-cluster:// or rediss-cluster://, as in "
                        + "redis://[[user]:password@]host[:port][,host[:port]...][/database][?option=value]; or with",
                "ls --store redis:secret@host | did you mean redis://?",
                "ls --store zk:host          | zk://[user:password@]host[:port][,host[:port]...]/path",
                "ls --store etcd:host        | did you mean etcd://?",
                "ls --store mongodb:host     | did you mean mongodb://?",
                "ls --store jdbc:postgres://u:secret@host/db | did you mean jdbc:postgresql:?",
                "lock x                      | there is no command 'lock' (did you mean 'run'?); allowed are run, lead",
                "loc x                       | there is no command 'loc'; allowed are run",
                "list                        | (did you mean 'ls'?)",
                "release x                   | (did you mean 'unlock'?)",
                "unlok x                     | (did you mean 'unlock'?)",
                "run x -n -- true            | options go before NAME, and '-n' stands behind it; allowed is: "
                        + "interlock run [OPTION...] NAME [--] COMMAND",
                "run x -w 5s true            | options go before NAME, and '-w' stands behind it",
                "lead x --once true          | options go before NAME, and '--once' stands behind it",
                "demo --store nowhere        | --store must be a URI",
                "demo --store redsi://u:secret@host | 'redsi'",
                "run \uFFFD true             | argument 2 is not valid UTF-8",
            })
    void usage(String line, String expected) {
        String[] arguments = line == null
                ? new String[0]
                : line.strip().replace("LONG", "n".repeat(513)).split(" +");
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].equals("''") ? "" : arguments[i];
        }

        Cli.Result result = InProcess.run(arguments);

        oneLine(result, 64, expected);
    }

    /** Not even on a terminal is it a success: the name of what to run may have been empty. */
    @Test
    void noCommandOnATerminal_showsHowToBegin() {
        Cli.Result result = InProcess.onTerminal("");

        assertThat(result.exited(64).out()).isEmpty();
        assertThat(result.err())
                .contains("interlock demo ", "interlock run my-lock -- make backup", "Commands: run, lead, ls,");
        assertThat(result.errorLines())
                .filteredOn(line -> !line.startsWith("Commands: "))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    /** What looks like the end of a URI in a message may be in the middle of a password. */
    @Test
    void aPasswordWithABlank_isHidden() {
        oneLine(InProcess.run("ls", "a", "redis://:hush secret@host"), 64, "'redis://host'");
        oneLine(InProcess.run("ls", "a", "--stor=redis://u:hush secret@host"), 64, "redis://***@host");
        cli.with(DefaultStore.VARIABLE, "jdbc:nothing://u:hush secret@host/db");
        oneLine(cli.run("ls", "a", "jdbc:nothing://u:hush secret@host/db"), 64, "jdbc:nothing://***@host/db");
    }

    @Test
    void withoutAHome_thereIsNoDefaultStore() {
        cli.with("XDG_STATE_HOME", "relative/ignored").with("HOME", "").withJvmArgument("-Duser.home=?");

        oneLine(cli.run("run", "job", "true"), 69, "allowed is --store, INTERLOCK_STORE or an absolute XDG_STATE_HOME");
        assertThat(Path.of("?")).doesNotExist();
    }

    @Test
    void theStoreOfTheEnvironment() {
        cli.with(DefaultStore.VARIABLE, "nonsense");

        oneLine(cli.run("ls"), 64, "INTERLOCK_STORE must be a URI");
    }

    @Test
    void aFileThatCannotBeWritten() throws IOException {
        Path file = Files.writeString(
                directory.resolve("file"), "not a database at all, but long enough to be taken for one");
        Path below = file.resolve("locks.db");

        oneLine(InProcess.run("show", "--store", StoreUri.sqlite(below).value(), "job"), 69, "no directory");
        oneLine(InProcess.run("ls", "--store", StoreUri.sqlite(directory).value()), 69, "is a directory");
        oneLine(InProcess.run("show", "--store", StoreUri.sqlite(file).value(), "job"), 69, "not an SQLite database");
        cli.with("XDG_STATE_HOME", file.toString());
        oneLine(cli.run("ls"), 69, "allowed is a place that you may write");
    }

    @Test
    void aConnectionThatIsRefused_isReported() {
        refused(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void aConnectionThatIsRefused_isReportedSoon() {
        refused(Duration.ofSeconds(15));
    }

    /** Nothing listens on port 1. */
    private void refused(Duration limit) {
        String store = "redis://user:secret@127.0.0.1:1";
        long startNanos = System.nanoTime();

        oneLine(cli.run("run", "--store", store, "job", "true"), 69, "refused");

        assertThat(System.nanoTime() - startNanos).isLessThan(limit.toNanos());
        Cli.Result verbose =
                InProcess.run("show", "-v", "--store", store, "job").exited(69);
        assertThat(verbose.errorLines()).hasSizeGreaterThan(1);
        assertThat(verbose.err()).contains("caused by").doesNotContain("secret").doesNotContain("\tat ");
    }

    private static void oneLine(Cli.Result result, int exitCode, String expected) {
        result.exited(exitCode);
        assertThat(result.errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: ")
                .contains(expected);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).doesNotContain("secret").doesNotContain("Exception");
    }
}
