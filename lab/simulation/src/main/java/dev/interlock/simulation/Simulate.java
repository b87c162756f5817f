package dev.interlock.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The command: searches for a seed that fails, or draws one. */
public final class Simulate {

    private static final String HELP =
            """
            Usage: lab/simulation/run [OPTION]...
            Runs the engine on simulated time, network, processes and servers, and checks each run.
              --kind KIND      LOCK, FAIR, READ_WRITE, SEMAPHORE, EARLY or QUORUM; by default all but QUORUM, one after
                               the other
              --seeds N        how many seeds of each kind, 1000000 by default
              --first N        the first seed, 1 by default; now: the present second, times 10000000
              --seconds N      at most so long, in equal parts for the kinds
              --threads N      on so many threads; by default one for each processor
              --seed N         draws the run of one seed instead, of LOCK unless you name a kind
            It ends with 0 if all pass, with 1 if a seed fails, with 2 if 10000 seeds or more of each kind pass and a
            fault has never struck or a move of a state machine was never made, and with 64 if it is called in another
            way.
            """;

    /** So many seeds of each kind make every move of the state machines. */
    private static final long MANY = 10_000;

    /** Not yet a quorum: a seed in some twenty thousand breaks WOKEN there, see the page. */
    private static final List<Setting.Kind> ALL = Arrays.stream(Setting.Kind.values())
            .filter(kind -> kind != Setting.Kind.QUORUM)
            .toList();

    private List<Setting.Kind> kinds = ALL;
    private long fewest = Long.MAX_VALUE;
    private long seeds = 1_000_000;
    private long first = 1;
    private long seconds = TimeUnit.DAYS.toSeconds(30);
    private int threads = Runtime.getRuntime().availableProcessors();
    private long single = -1;

    private Simulate() {}

    /** The command. */
    public static void main(String[] arguments) {
        if (!EngineLoader.isInside()) {
            var unused = new EngineLoader(null)
                    .call(Simulate.class, "main", new Class<?>[] {String[].class}, (Object) arguments);
            return;
        }
        Simulate simulate = new Simulate();
        try {
            if (!simulate.parse(List.of(arguments))) {
                System.out.print(HELP);
                return;
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(HELP);
            System.exit(64);
        }
        System.exit(simulate.single >= 0 ? simulate.draw() : simulate.search());
    }

    private boolean parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (option.equals("--help")) {
                return false;
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("An option needs a value: " + option);
            }
            String value = arguments.get(i + 1);
            switch (option) {
                case "--kind" -> kinds = List.of(Setting.Kind.valueOf(value));
                case "--seeds" -> seeds = Long.parseLong(value);
                case "--first" ->
                    first = value.equals("now")
                            ? TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()) * 10_000_000
                            : Long.parseLong(value);
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--threads" -> threads = Integer.parseInt(value);
                case "--seed" -> single = Long.parseLong(value);
                default -> throw new IllegalArgumentException("There is no such option: " + option);
            }
        }
        return true;
    }

    private int draw() {
        Plan plan = Plan.of(single, kinds.get(0));
        History history = World.run(plan);
        Optional<Violation> violation = Checker.check(plan, history);
        if (violation.isPresent()) {
            report(new Search.Failure(plan, violation.get()));
            return 1;
        }
        System.out.println(plan.describe());
        System.out.println(Drawing.of(plan, history));
        System.out.printf(Locale.ROOT, "passes; hash %016x%n", history.hash());
        return 0;
    }

    /** First what is known: whoever waits for no more has that. */
    private static void report(Search.Failure failure) {
        System.out.print(Search.headline(failure));
        System.out.println(Search.smallest(failure));
    }

    private int search() {
        Coverage coverage = new Coverage();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int i = 0; i < kinds.size(); i++) {
            // What is left of the time goes to the kinds that are left, in equal parts.
            long share = (until - System.nanoTime()) / (kinds.size() - i);
            Optional<Search.Failure> failure = search(kinds.get(i), share, coverage);
            if (failure.isPresent()) {
                System.out.println();
                report(failure.get());
                return 1;
            }
        }
        System.out.print(coverage.describe());
        System.out.print(Transitions.describe());
        List<String> unseen = new ArrayList<>(Transitions.unseen());
        unseen.addAll(coverage.unseen());
        unseen.forEach(never -> System.out.println("never seen: " + never));
        return isWhole() && !unseen.isEmpty() ? 2 : 0;
    }

    /** Whether so much is searched that nothing should remain unseen. */
    private boolean isWhole() {
        return kinds.equals(ALL) && fewest >= MANY;
    }

    private Optional<Search.Failure> search(Setting.Kind kind, long limitNanos, Coverage coverage) {
        long began = System.nanoTime();
        Search search = new Search(kind, first, seeds, limitNanos, threads, coverage);
        System.err.printf(Locale.ROOT, "%s: seeds from %d, %d threads%n", kind, first, threads);
        Optional<Search.Failure> failure = search.run(() -> progress(search, began));
        System.err.println();
        fewest = Math.min(fewest, search.passed());
        double passedSeconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%,d seeds of %s passed in %.1f s: %,.0f a second; %,.0f a second of processor time%n",
                search.passed(),
                kind,
                passedSeconds,
                search.passed() / passedSeconds,
                search.passed() * 1e9 / search.processorNanos());
        return failure;
    }

    private static void progress(Search search, long began) {
        double passedSeconds = (System.nanoTime() - began) / 1e9;
        System.err.printf(
                Locale.ROOT, "\r%,d seeds, %,.0f a second ", search.passed(), search.passed() / passedSeconds);
    }
}
