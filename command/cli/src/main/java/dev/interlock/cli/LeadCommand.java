package dev.interlock.cli;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.LockOptions;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.StoreUri;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock lead}. */
@Command(
        name = "lead",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Run a program wherever this is the leader, on one machine at a time.",
        customSynopsis = "interlock lead [--store URI] [--once] [--lease DURATION] [-v] NAME [--] COMMAND [ARG...]",
        footer = {
            "",
            "DURATION is a number with a unit, " + Durations.SYNTAX + ".",
            "",
            "Stands in the election NAME. When elected it starts the program, as 'interlock run' does; when not the "
                    + "leader any more it sends TERM, after 5 s KILL, and stands again.",
            "A program that ends gives the leadership to the next; it is started again when its turn comes, a second "
                    + "after its last start at the earliest.",
            "Each change is a line on standard error.",
            "",
            "HUP, INT, TERM, USR1 and USR2 are passed on to the program. After INT or TERM, or if HUP ends the "
                    + "program, it is not started again.",
            "",
            "Exit code: the program's; 128 + signal number if a signal ended it or the wait for it; and",
            "  64  wrong usage            74   the leadership was lost, with --once",
            "  69  store unavailable      126  the program cannot be executed",
            "                             127  the program is not found"
        })
final class LeadCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--once", description = "Lead once: end with the program, or when the leadership is lost.")
    private boolean once;

    @Mixin
    private LeaseOption lease = new LeaseOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The election, and its lock: 1 to 512 bytes of UTF-8.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "The program and its arguments.")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() {
        CommonOptions.checkedName(name);
        Program program = Program.of("lead", words);
        LockOptions options = LockOptions.builder().lease(lease.term()).build();
        StoreUri store = common.store();
        LeadersProgram candidate = new LeadersProgram(program, store, once);
        OsSignal.onReceived(candidate::received);
        try (Interlock interlock = common.connect(store, program.application())) {
            LeaderElection election = interlock.election(name, options);
            // Fails at once if the store is not available. A candidacy that has begun survives that.
            election.inspect();
            try (Candidacy candidacy = election.join(candidate)) {
                return candidate.awaitEnd(candidacy);
            } finally {
                candidate.stop();
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof CommandException failure ? failure : e;
        }
    }
}
