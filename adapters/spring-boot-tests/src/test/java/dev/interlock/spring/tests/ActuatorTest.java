package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint and the health of a whole application with a web server. */
class ActuatorTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Interlock interlock() {
            return Interlock.inMemory();
        }
    }

    @Test
    void locks_areShown_andForcedOnlyIfAllowed() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            Interlock interlock = context.getBean(Interlock.class);
            try (Lease lease = interlock.lock("order 42<img>").acquire()) {
                assertThat(send(context, "GET", "/actuator/locks").body())
                        .contains("order 42")
                        .contains("\"token\":" + lease.token());
                assertThat(send(context, "GET", "/actuator/locks/order%2042%3Cimg%3E")
                                .body())
                        .contains("\"kind\":\"lock\"");
                assertThat(send(context, "DELETE", "/actuator/locks/order%2042%3Cimg%3E")
                                .statusCode())
                        .isEqualTo(405);
                assertThat(lease.isValid()).isTrue();
            }
            assertThat(send(context, "GET", "/actuator/health").body())
                    .contains("\"status\":\"UP\"")
                    .contains("\"leasesAtRisk\":0");
            assertThat(send(context, "GET", "/actuator/info").body())
                    .containsPattern("\"interlock\":\\{\"version\":\"\\d+\\.\\d+")
                    .doesNotContain("\"store\"");
        }
        try (ConfigurableApplicationContext context = start("management.endpoint.locks.access=unrestricted")) {
            Interlock interlock = context.getBean(Interlock.class);
            try (Lease lease = interlock.lock("a").acquire()) {
                assertThat(send(context, "DELETE", "/actuator/locks/a").body()).contains("\"wasHeld\":true");
                assertThat(lease.isValid()).isFalse();
            }
        }
    }

    /** They wait behind a lease of their own client, so the store knows nothing of them. */
    @Test
    void waitersOfTheSameProcess_areShown() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            Interlock interlock = context.getBean(Interlock.class);
            try (Lease lease = interlock.lock("a").acquire()) {
                CompletableFuture<Lease> waiting =
                        interlock.lock("a").acquireAsync().toCompletableFuture();
                for (String path : List.of("/actuator/locks", "/actuator/locks/a")) {
                    assertThat(send(context, "GET", path).body()).contains("\"waitingForMillis\":");
                }
                waiting.cancel(false);
                assertThat(send(context, "GET", "/actuator/locks/a").body()).contains("\"waiters\":[]");
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /** No path of a web server has them. */
    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\\b", "a;b", "..", "a%2Fb", " ", "ä/\u0001"})
    void nameThatNoPathHas_isShownAndForced(String name) throws Exception {
        try (ConfigurableApplicationContext context = start("management.endpoint.locks.access=unrestricted")) {
            String query = "/actuator/locks?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
            try (Lease lease = context.getBean(Interlock.class).lock(name).acquire()) {
                assertThat(send(context, "GET", query).body()).contains("\"token\":" + lease.token());
                assertThat(send(context, "DELETE", query).body()).contains("\"wasHeld\":true");
                assertThat(lease.isValid()).isFalse();
            }
        }
    }

    @Test
    void wrongInput_isABadRequest_withTheReason() throws Exception {
        try (ConfigurableApplicationContext context = start("management.endpoint.locks.access=unrestricted")) {
            assertRefused(send(context, "GET", "/actuator/locks?limit=many"), 400, "limit must be a number: 'many'");
            assertRefused(send(context, "GET", "/actuator/locks?limit=0"), 400, "limit must be 1 to 10000: 0");
            assertRefused(send(context, "GET", "/actuator/locks?name="), 400, "empty");
            assertRefused(send(context, "GET", "/actuator/locks?name=a&limit=3"), 400, "leave out");
            assertRefused(send(context, "GET", "/actuator/locks/a?client=b"), 400, "There is no such client");
            assertRefused(send(context, "GET", "/actuator/locks/" + "a".repeat(513)), 400, "512");
            assertRefused(send(context, "DELETE", "/actuator/locks"), 400, "Which lock?");
        }
    }

    @Test
    void storeThatDoesNotAnswer_isUnavailable_withTheReason() throws Exception {
        try (ConfigurableApplicationContext context =
                start(OnSilentStore.class, "management.endpoint.locks.access=unrestricted")) {
            for (String path : List.of("/actuator/locks", "/actuator/locks/a", "/actuator/locks?name=a")) {
                assertRefused(send(context, "GET", path), 503, "Could not ");
            }
            assertRefused(send(context, "DELETE", "/actuator/locks/a"), 503, "Could not ");
        }
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String reason) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"error\":").contains(reason);
    }

    @Test
    void listThatGoesOn_saysSo_andHowManyThereAre() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            Interlock interlock = context.getBean(Interlock.class);
            for (String name : List.of("a", "b", "c", "other")) {
                interlock.lock(name).acquire();
            }
            assertThat(send(context, "GET", "/actuator/locks?limit=1").body())
                    .contains("\"complete\":false", "\"total\":4", "\"a\"")
                    .doesNotContain("\"b\"");
            assertThat(send(context, "GET", "/actuator/locks?limit=4").body())
                    .contains("\"complete\":true", "\"total\":4", "\"other\"");
            interlock.lock("oyster").acquire();
            assertThat(send(context, "GET", "/actuator/locks?limit=1&prefix=o").body())
                    .contains("\"complete\":false", "\"total\":2");
            assertThat(send(context, "GET", "/actuator/locks/a").body()).contains("\"complete\":true", "\"total\":1");
        }
    }

    /** The store would have to send them all. */
    @Test
    void listOfMoreThanAreCounted_hasNoTotal() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            Interlock interlock = context.getBean(Interlock.class);
            for (int i = 0; i < 10_000; i++) {
                interlock.lock("n" + i).acquire();
            }
            assertThat(send(context, "GET", "/actuator/locks?limit=1").body()).contains("\"total\":10000");
            interlock.lock("one more").acquire();
            for (int limit : List.of(1, 10_000)) {
                assertThat(send(context, "GET", "/actuator/locks?limit=" + limit)
                                .body())
                        .contains("\"complete\":false", "\"total\":null");
            }
        }
    }

    /** Nobody listens at its address. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OnSilentStore {
        @Bean
        Interlock interlock() {
            return Interlock.builder("redis://127.0.0.1:1")
                    .storeTimeout(Duration.ofMillis(500))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OnDatabase {}

    @Test
    void info_hasTheProductOfTheDatabase() throws Exception {
        try (ConfigurableApplicationContext context =
                start(OnDatabase.class, "interlock.store=jdbc", "spring.application.name=orders")) {
            assertThat(send(context, "GET", "/actuator/info").body())
                    .contains("\"store\":\"SQLite\"", "\"application\":\"orders\"");
        }
    }

    private static ConfigurableApplicationContext start(String... properties) {
        return start(Application.class, properties);
    }

    private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
        SpringApplication application = new SpringApplication(source);
        Stream<String> settings = Stream.of(
                "server.port=0",
                "server.address=127.0.0.1",
                // Neither is used: what is on the class path would have them configured.
                "spring.datasource.url=jdbc:sqlite:" + System.getProperty("java.io.tmpdir") + "/unused.db",
                "management.health.redis.enabled=false",
                "management.health.db.enabled=false",
                "management.endpoints.web.exposure.include=locks,health,info",
                "management.endpoint.health.show-details=always");
        return application.run(Stream.concat(settings, Stream.of(properties))
                .map(setting -> "--" + setting)
                .toArray(String[]::new));
    }

    private static HttpResponse<String> send(ConfigurableApplicationContext context, String method, String path)
            throws IOException, InterruptedException {
        String port = context.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
