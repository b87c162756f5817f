package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.util.List;

/** A run of the bench that is over in seconds. */
final class Smoke {

    private Smoke() {}

    /** Measures the rows; a section for each, of which none has failed. */
    static List<Section> of(List<String> rows, Settings settings) {
        try (RedisServer server = RedisServer.start()) {
            List<Section> sections = new Bench(new Options(rows, settings, null), server).sections();
            assertThat(sections).hasSameSizeAs(rows).noneMatch(Section::failed);
            return sections;
        }
    }
}
