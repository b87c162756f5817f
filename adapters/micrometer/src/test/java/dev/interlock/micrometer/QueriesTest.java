package dev.interlock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The queries of the dashboard and of the alerts against the series that Prometheus scrapes. */
class QueriesTest {

    /** Labels that Prometheus adds, and that of buckets. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance", "le");

    private static final Pattern SERIES = Pattern.compile("(?m)^(interlock_\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern USE = Pattern.compile("\\b(interlock_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** Series to labels to values. */
    private final Map<String, Map<String, Set<String>>> emitted = new HashMap<>();

    QueriesTest() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Exercise.all(InterlockMetrics.builder(registry).histograms().build(), "orders:42");
        SERIES.matcher(registry.scrape()).results().forEach(line -> {
            Map<String, Set<String>> labels = emitted.computeIfAbsent(line.group(1), name -> new HashMap<>());
            labels(line.group(2)).forEach(label -> labels.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                    .add(label.group(3)));
        });
    }

    @Test
    void alerts_useWhatIsEmitted() {
        List<String> queries = new ArrayList<>();
        Map<String, Object> file = new Yaml().load(Pages.read("prometheus-alerts.yml"));
        collect(file, "expr", queries);
        assertThat(queries).hasSizeGreaterThan(2).allSatisfy(this::assertEmitted);
        assertThat(String.join("\n", queries))
                .contains(
                        "interlock_losses_total", "interlock_wait_seconds_bucket", "interlock_store_reply_age_seconds");
    }

    /** JSON is YAML. */
    @Test
    void dashboard_usesWhatIsEmitted_andAllOfIt() {
        List<String> queries = new ArrayList<>();
        Map<String, Object> file = new Yaml().load(Pages.read("grafana-dashboard.json"));
        collect(file, "expr", queries);
        assertThat(queries).hasSizeGreaterThan(10).allSatisfy(this::assertEmitted);
        List<String> variables = new ArrayList<>();
        collect(file, "query", variables);
        assertThat(variables)
                .filteredOn(variable -> variable.contains("interlock"))
                .allSatisfy(this::assertEmitted);
        String all = String.join("\n", queries);
        assertThat(emitted.keySet()).allSatisfy(series -> assertThat(all).containsPattern("\\b" + series + "\\b"));
    }

    @Test
    void queryWithAWrongName_isNoticed() {
        assertThat(emitted).containsKey("interlock_losses_total");
        for (String wrong : List.of(
                "interlock_loss_total",
                "interlock_losses_total{reason=\"x\"}",
                "interlock_losses_total{cause=\"x\"}")) {
            assertThat(problems(wrong)).as(wrong).isNotEmpty();
        }
        assertThat(problems("sum by (reason) (interlock_losses_total)")).isNotEmpty();
        assertThat(problems("sum by (cause) (interlock_losses_total{cause=\"expired\", job=~\"$job\"})"))
                .isEmpty();
    }

    private void assertEmitted(String query) {
        assertThat(problems(query)).as(query).isEmpty();
    }

    private List<String> problems(String query) {
        List<String> problems = new ArrayList<>();
        Set<String> known = new TreeSet<>(OF_PROMETHEUS);
        for (MatchResult use : USE.matcher(query).results().toList()) {
            Map<String, Set<String>> labels = emitted.get(use.group(1));
            if (labels == null) {
                problems.add("no series " + use.group(1));
                continue;
            }
            known.addAll(labels.keySet());
            for (MatchResult label : labels(use.group(2))) {
                Set<String> values = labels.get(label.group(1));
                boolean exact = !label.group(2).endsWith("~");
                if (values == null
                        ? !OF_PROMETHEUS.contains(label.group(1))
                        : exact && !values.contains(label.group(3))) {
                    problems.add("no label " + label.group());
                }
            }
        }
        if (!USE.matcher(query).find()) {
            problems.add("no series at all");
        }
        for (MatchResult by : BY.matcher(query).results().toList()) {
            for (String label : by.group(1).split(",", -1)) {
                if (!known.contains(label.trim())) {
                    problems.add("no label " + label);
                }
            }
        }
        return problems;
    }

    private static List<MatchResult> labels(@Nullable String selector) {
        return selector == null
                ? List.of()
                : MATCHER.matcher(selector).results().toList();
    }

    /** All texts under this key. */
    private static void collect(@Nullable Object node, String key, List<String> found) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (key.equals(name) && value instanceof String text) {
                    found.add(text);
                } else {
                    collect(value, key, found);
                }
            });
        } else if (node instanceof List<?> list) {
            list.forEach(element -> collect(element, key, found));
        }
    }
}
