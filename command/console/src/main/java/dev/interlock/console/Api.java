package dev.interlock.console;

import com.sun.net.httpserver.HttpExchange;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests under {@code /api}, for callers who may make them. {@code docs/internals/console-api.md} describes them.
 */
final class Api {

    private static final Duration TIMELINE = Duration.ofHours(1);
    private static final int MOST_SPANS = 1000;
    private static final int LONGEST_REASON = 500;

    private static final List<String> KINDS = Arrays.stream(LockKind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();

    private final List<StoreWatch> watches;
    private final History history;
    private final Events events;
    private final Actions actions;
    private final InstantSource clock;
    private final String version;

    Api(
            List<StoreWatch> watches,
            History history,
            Events events,
            Actions actions,
            InstantSource clock,
            String version) {
        this.watches = watches;
        this.history = history;
        this.events = events;
        this.actions = actions;
        this.clock = clock;
        this.version = version;
    }

    /**
     * The answer to a GET.
     *
     * @param path what follows {@code /api/}
     */
    Map<String, Object> get(String path, Parameters parameters) throws IOException {
        return switch (path) {
            case "overview" -> overview(parameters);
            case "tree" ->
                answer(Views.tree(
                        watch(parameters), parameters.text("prefix"), parameters.offset(), parameters.limit()));
            case "names" -> names(parameters);
            case "locks" -> locks(parameters);
            case "lock" -> lock(parameters);
            case "waits" -> answer(new WaitGraph(watches(parameters)).json());
            case "history" -> history(parameters);
            default -> throw new Problem(404, "not_found", "There is no request of this name.");
        };
    }

    /** What the page needs to know first. */
    Map<String, Object> session(String csrf, boolean allowForce) {
        Map<String, Object> json = answer(Map.of());
        json.put("version", version);
        json.put("csrf", csrf);
        json.put("allowForce", allowForce);
        json.put(
                "historyProblem",
                watches.stream()
                        .map(StoreWatch::historyProblem)
                        .filter(problem -> !problem.isEmpty())
                        .findFirst()
                        .orElse(""));
        json.put("stores", stores(watches));
        return json;
    }

    private Map<String, Object> overview(Parameters parameters) {
        List<StoreWatch> wanted = watches(parameters);
        Views views = new Views(wanted);
        Map<String, Object> json = answer(Map.of());
        json.put("stores", stores(wanted));
        json.put("totals", views.totals());
        json.putAll(views.tops());
        return json;
    }

    private Map<String, Object> names(Parameters parameters) {
        String wanted = parameters.text("q");
        if (wanted.length() > LockId.MAX_NAME_BYTES) {
            throw Problem.badRequest(
                    "The parameter 'q' must have at most " + LockId.MAX_NAME_BYTES + " characters, as a name.");
        }
        String text = wanted.toLowerCase(Locale.ROOT);
        Predicate<SeenName> rule = name -> text.isEmpty() || name.matches(text);
        List<String> kinds = new ArrayList<>(KINDS);
        kinds.add("election");
        rule = rule.and(Views.filter(parameters.oneOf("state", List.of("held", "waiting", "at_risk"))))
                .and(Views.filter(parameters.oneOf("kind", kinds)));
        String sort = parameters.oneOf("sort", List.of("name", "held", "waiting", "holds"));
        return answer(new Views(watches(parameters)).names(rule, sort, parameters.offset(), parameters.limit()));
    }

    private Map<String, Object> locks(Parameters parameters) {
        Instant now = clock.instant();
        List<Map<String, Object>> locks = new ArrayList<>();
        int limit = parameters.limit();
        int total = 0;
        for (StoreWatch watch : watches(parameters)) {
            Collection<SeenName> names = watch.state().snapshot().names(parameters.text("prefix"));
            total += names.size();
            names.stream().limit(limit).forEach(name -> locks.add(name.lock(watch.id(), now)));
        }
        locks.sort(Comparator.comparing(lock -> String.valueOf(lock.get("name"))));
        return answer(Map.of("total", total, "locks", locks.subList(0, Math.min(limit, locks.size()))));
    }

    private Map<String, Object> lock(Parameters parameters) throws IOException {
        StoreWatch watch = watch(parameters);
        String name = parameters.required("name");
        Instant now = clock.instant();
        Instant from = now.minus(TIMELINE);
        History.Part part = history.part(watch.store().uri(), name, from, now, MOST_SPANS);
        Map<String, Object> timeline = new LinkedHashMap<>();
        timeline.put("from", Times.text(from));
        timeline.put("to", Times.text(now));
        timeline.put("complete", part.complete());
        timeline.put("total", part.total());
        timeline.put(
                "spans",
                part.spans().stream().map(span -> span.json(watch.id())).toList());
        timeline.put(
                "actions",
                part.actions().stream().map(action -> action.json(watch.id())).toList());
        timeline.put(
                "unseen",
                part.unseen().stream().map(unseen -> unseen.json(watch.id())).toList());
        Map<String, Object> json = answer(Map.of());
        json.put("store", watch.id());
        json.put("name", name);
        json.put(
                "locks",
                watch.state().snapshot().named(name).stream()
                        .map(lock -> lock.lock(watch.id(), now))
                        .toList());
        json.put("timeline", timeline);
        Map<String, Object> percentiles = new LinkedHashMap<>();
        percentiles.put("hold", percentiles(part.spans(), true));
        percentiles.put("wait", percentiles(part.spans(), false));
        json.put("percentiles", percentiles);
        return json;
    }

    private static Map<String, Object> percentiles(List<Span> spans, boolean hold) {
        long[] millis = spans.stream()
                .filter(span -> span.hold() == hold && span.end() != null && span.end() != Span.End.UNSEEN)
                .mapToLong(span -> span.to() == null ? 0 : Times.millis(span.from(), span.to()))
                .sorted()
                .toArray();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", millis.length);
        if (millis.length > 0) {
            json.put("p50Millis", percentile(millis, 50));
            json.put("p90Millis", percentile(millis, 90));
            json.put("p99Millis", percentile(millis, 99));
            json.put("maxMillis", millis[millis.length - 1]);
        }
        return json;
    }

    /** The smallest value that is not less than so many of a hundred. */
    private static long percentile(long[] sorted, int percent) {
        return sorted[(sorted.length * percent + 99) / 100 - 1];
    }

    private Map<String, Object> history(Parameters parameters) throws IOException {
        String name = parameters.text("name");
        Instant now = clock.instant();
        Instant since = since(parameters.text("since"), now);
        int limit = parameters.limit();
        List<Map<String, Object>> records = new ArrayList<>();
        List<Map<String, Object>> unseen = new ArrayList<>();
        int total = 0;
        for (StoreWatch watch : watches(parameters)) {
            History.Part part = history.part(watch.store().uri(), name.isEmpty() ? null : name, since, now, limit);
            part.spans().forEach(span -> records.add(span.json(watch.id())));
            part.actions().forEach(action -> records.add(action.json(watch.id())));
            part.unseen().forEach(gap -> unseen.add(gap.json(watch.id())));
            total += part.total();
        }
        // All are texts of one form, so that their order is that of the time.
        records.sort(Comparator.<Map<String, Object>, String>comparing(
                        record -> String.valueOf(record.getOrDefault("from", record.get("at"))))
                .reversed());
        Map<String, Object> json = answer(Map.of());
        List<Map<String, Object>> latest = records.subList(0, Math.min(limit, records.size()));
        json.put("complete", latest.size() >= total);
        json.put("total", total);
        json.put("records", latest);
        json.put("unseen", unseen);
        return json;
    }

    private static Instant since(String text, Instant now) {
        try {
            Instant since = text.isEmpty() ? now.minus(TIMELINE) : Instant.parse(text);
            // What has no number of milliseconds is in no history.
            var unused = since.toEpochMilli();
            return since;
        } catch (DateTimeParseException | ArithmeticException e) {
            throw Problem.badRequest(
                    "The parameter 'since' must be a point in time in UTC, such as 2026-11-25T22:00:00Z.");
        }
    }

    /** Ends a claim. */
    Map<String, Object> force(Parameters parameters, String by) {
        StoreWatch watch = watch(parameters);
        Action action = actions.force(
                watch,
                key(parameters),
                parameters.required("owner"),
                parameters.required("token"),
                by,
                reason(parameters));
        return published(watch, action);
    }

    /** Asks holders to let go. */
    Map<String, Object> ask(Parameters parameters, String by) {
        StoreWatch watch = watch(parameters);
        List<Map<String, Object>> published = actions.ask(watch, key(parameters), by, reason(parameters)).stream()
                .map(action -> published(watch, action))
                .toList();
        return published.get(0);
    }

    private Map<String, Object> published(StoreWatch watch, Action action) {
        Map<String, Object> json = answer(Map.of("action", action.json(watch.id())));
        events.publish(new Events.Event("action", null, json));
        return json;
    }

    private static SeenName.Key key(Parameters parameters) {
        String kind = parameters.oneOf("kind", KINDS);
        if (kind == null) {
            throw Problem.badRequest("The parameter 'kind' is missing.");
        }
        return new SeenName.Key(parameters.required("name"), LockKind.valueOf(kind.toUpperCase(Locale.ROOT)));
    }

    private static String reason(Parameters parameters) {
        String reason = parameters.text("reason").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw Problem.badRequest("A reason is needed, of 1 to " + LONGEST_REASON + " characters: it is written"
                    + " into the history.");
        }
        return reason;
    }

    /** A stream of events. */
    void stream(HttpExchange exchange, Parameters parameters) throws IOException {
        String store =
                parameters.text("store").isEmpty() ? null : watch(parameters).id();
        if (!events.enter()) {
            throw new Problem(
                    503, "too_many_clients", "There are " + Events.MOST_STREAMS + " streams of events already.");
        }
        events.serve(exchange, store, () -> first(store));
    }

    /** The state of all, and that nothing of it is known to the client. */
    private List<Events.Event> first(@Nullable String store) {
        List<Events.Event> first = new ArrayList<>(List.of(storesEvent(), totalsEvent(new Views(watches).totals())));
        for (StoreWatch watch : watches) {
            if (store == null || store.equals(watch.id())) {
                first.add(changesEvent(watch, List.of(), List.of(), false));
            }
        }
        return first;
    }

    Events.Event storesEvent() {
        return new Events.Event("stores", null, answer(Map.of("stores", stores(watches))));
    }

    Events.Event totalsEvent(Map<String, Object> totals) {
        return new Events.Event("totals", null, answer(Map.of("totals", totals)));
    }

    Events.Event changesEvent(StoreWatch watch, List<SeenName> changed, List<SeenName.Key> gone, boolean complete) {
        Map<String, Object> json = answer(Map.of());
        json.put("store", watch.id());
        json.put(
                "rows",
                changed.stream()
                        .map(name -> name.row(watch.id(), watch.holds(name.key())))
                        .toList());
        json.put("gone", gone.stream().map(SeenName.Key::json).toList());
        json.put("complete", complete);
        return new Events.Event("changes", watch.id(), json);
    }

    private static List<Map<String, Object>> stores(List<StoreWatch> watches) {
        return watches.stream().map(StoreWatch::json).toList();
    }

    private Map<String, Object> answer(Map<String, Object> fields) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("now", Times.text(clock.instant()));
        json.putAll(fields);
        return json;
    }

    private List<StoreWatch> watches(Parameters parameters) {
        return parameters.text("store").isEmpty() ? watches : List.of(watch(parameters));
    }

    private StoreWatch watch(Parameters parameters) {
        String id = parameters.required("store");
        return watches.stream()
                .filter(watch -> watch.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new Problem(
                        404,
                        "not_found",
                        "There is no such store; there are "
                                + String.join(
                                        ", ",
                                        watches.stream().map(StoreWatch::id).toList()) + "."));
    }
}
