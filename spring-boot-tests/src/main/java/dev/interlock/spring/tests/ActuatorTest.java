package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
                    .contains("\"interlock\":{\"version\":\"")
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

    private static ConfigurableApplicationContext start(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
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
