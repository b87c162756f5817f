package dev.interlock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table of meters in docs/metrics.md against what is emitted. */
class MetricNamesTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(interlock[a-z.]*)` \\| (\\w+) \\| ([^|]+) \\| `(\\w+)` \\| ([^|]+) \\|$");
    private static final Pattern VALUES = Pattern.compile("`([a-z_]+)`");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final String page = Pages.read("metrics.md");

    @BeforeEach
    void emitEverything() {
        Exercise.all(InterlockMetrics.builder(registry).build(), "orders:42");
    }

    @Test
    void table_hasEveryMeter_andNoOther() {
        Set<String> emitted = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            emitted.add(id.getName() + " " + id.getType().name().toLowerCase(Locale.ROOT) + " "
                    + id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new)));
        }
        Set<String> documented = new TreeSet<>();
        rows().forEach(row ->
                documented.add(row.group(1) + " " + row.group(2) + " " + new TreeSet<>(values(row.group(3)))));
        assertThat(documented).isEqualTo(emitted);
    }

    @Test
    void table_hasTheNamesThatPrometheusSees() {
        Set<String> families = new TreeSet<>();
        Matcher family = Pattern.compile("(?m)^# TYPE (\\S+) ").matcher(registry.scrape());
        while (family.find()) {
            // A timer is also a gauge of its maximum.
            families.add(family.group(1).replaceFirst("_seconds_max$", "_seconds"));
        }
        Set<String> documented = new TreeSet<>();
        rows().forEach(row -> documented.add(row.group(4)));
        assertThat(documented).isEqualTo(families);
    }

    @Test
    void everyMeter_hasADescription() {
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
    }

    /** Of {@code cause} the page shows examples. */
    @Test
    void valuesOfTags_areDocumented() {
        Map<String, Set<String>> emitted = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            meter.getId().getTags().forEach(tag -> emitted.computeIfAbsent(tag.getKey(), key -> new TreeSet<>())
                    .add(tag.getValue()));
        }
        Map<String, Set<String>> documented = new TreeMap<>();
        Matcher bullet =
                Pattern.compile("(?ms)^\\* `(\\w+)`([^:]*): (.*?)(?=^\\*|^$)").matcher(page);
        while (bullet.find()) {
            documented.computeIfAbsent(bullet.group(1), key -> new TreeSet<>()).addAll(values(bullet.group(3)));
        }
        assertThat(documented.keySet()).isEqualTo(emitted.keySet());
        Set<String> examples = documented.remove("cause");
        assertThat(emitted.remove("cause")).hasSizeGreaterThan(3).containsAll(examples);
        assertThat(documented).isEqualTo(emitted);
    }

    private List<MatchResult> rows() {
        return ROW.matcher(page).results().toList();
    }

    private static Set<String> values(String text) {
        return VALUES.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }
}
