package dev.interlock.cli;

import dev.interlock.Party;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.cli.common.Table;
import dev.interlock.console.Action;
import dev.interlock.console.History;
import dev.interlock.console.History.Unseen;
import dev.interlock.console.Json;
import dev.interlock.console.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock history}. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Show who held a lock and who waited for it, as consoles have seen it.",
        footer = {
            "",
            "It asks no store: it reads the file that 'interlock console' writes. DURATION is a number with a unit, ",
            Durations.SYNTAX + "."
        })
final class HistoryCommand implements Callable<Integer> {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--since",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "24h",
            description = "How far to look back. Default: ${DEFAULT-VALUE}")
    private Duration since = Duration.ofDays(1);

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most holds and waits to show, the latest. Default: ${DEFAULT-VALUE}")
    private int limit = 1000;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "The file. Default: $${XDG_STATE_HOME:-~/.local/state}/interlock/console.db")
    private @Nullable Path file;

    @Option(
            names = "--json",
            description = "Print an array of objects, the earliest first. If there are more than --limit, the last is "
                    + "{\"more\":true,\"limit\":N,\"total\":ALL}. The limit is that of each store.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    /**
     * A line of the output.
     *
     * @param at when it began
     * @param json the form for programs
     * @param cells the form for people
     */
    private record Line(Instant at, Map<String, Object> json, List<String> cells) {}

    @Override
    public Integer call() {
        CommonOptions.checkedName(name);
        if (limit < 1) {
            throw CommandException.usage("--limit must be 1 or more: " + limit);
        }
        List<Line> lines = new ArrayList<>();
        int shown = 0;
        int total = 0;
        try (History history = History.read(file == null ? DefaultStore.history(System.getenv()) : file)) {
            StoreUri given = common.givenStore();
            Instant now = Instant.now();
            for (String store : given == null ? history.stores() : List.of(given.withoutPassword())) {
                History.Part part = history.part(store, name, now.minus(since), now, limit);
                shown += part.size();
                total += part.total();
                add(part, store, lines);
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE, e.getMessage() + "; allowed is --history with the file of a console", e);
        }
        lines.sort(Comparator.comparing(Line::at));
        if (json) {
            List<Map<String, Object>> all =
                    new ArrayList<>(lines.stream().map(Line::json).toList());
            if (shown < total) {
                all.add(Listing.more(limit, total));
            }
            System.out.println(Json.of(all));
        } else {
            Table table = new Table("BEGAN", "WHAT", "ENDED", "HOST", "PROCESS", "APPLICATION", "TOKEN", "STORE");
            lines.forEach(line -> table.row(line.cells.toArray(String[]::new)));
            System.out.print(table.text(Colours.ofOutput()));
            if (shown < total) {
                System.out.print(Listing.rest("latest", shown, total));
            }
        }
        return ExitCode.OK;
    }

    /** Without any hold or wait, when nobody looked is of no interest. */
    private static void add(History.Part part, String store, List<Line> lines) {
        part.spans().forEach(span -> lines.add(line(span, store)));
        part.actions().forEach(action -> lines.add(line(action, store)));
        if (!part.spans().isEmpty() || !part.actions().isEmpty()) {
            part.unseen().forEach(unseen -> lines.add(line(unseen, store)));
        }
    }

    private static Line line(Span span, String store) {
        String end = span.to() == null || span.end() == null
                ? "goes on"
                : clock(span.to()) + ", " + span.end().text();
        return new Line(
                span.from(),
                span.json(store),
                cells(
                        clock(span.from()),
                        (span.hold() ? "held, " : "waited, ") + span.mode(),
                        end,
                        span.party(),
                        span.token(),
                        store));
    }

    private static Line line(Action action, String store) {
        String what = (action.type() == Action.Type.FORCE ? "ended by force by " : "asked to let go by ") + action.by()
                + ": " + action.reason();
        return new Line(
                action.at(),
                action.json(store),
                cells(
                        clock(action.at()),
                        what,
                        action.outcome().name().toLowerCase(Locale.ROOT),
                        action.party(),
                        action.token(),
                        store));
    }

    private static Line line(Unseen unseen, String store) {
        return new Line(
                unseen.from(),
                unseen.json(store),
                List.of(clock(unseen.from()), "not seen", clock(unseen.to()), "-", "-", "-", "-", store));
    }

    private static List<String> cells(String began, String what, String ended, Party party, long token, String store) {
        return List.of(
                began,
                what,
                ended,
                party.host(),
                party.pid() == 0 ? "-" : String.valueOf(party.pid()),
                party.application().isEmpty() ? "-" : party.application(),
                token == 0 ? "-" : String.valueOf(token),
                store);
    }

    private static String clock(Instant instant) {
        return CLOCK.format(instant.atZone(ZoneId.systemDefault()));
    }
}
