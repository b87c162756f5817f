package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Three ordinary test classes of an application, of which the first and the third share a context. */
final class PausedContexts {

    private PausedContexts() {}

    static class Service {
        @Locked("x")
        public String run() {
            return "ran";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(InterlockAutoConfiguration.class)
    static class Application {
        @Bean
        Service service() {
            return new Service();
        }
    }

    @SpringBootTest(
            classes = Application.class,
            properties = {"interlock.uri=memory:", "context=1"},
            webEnvironment = WebEnvironment.NONE)
    static class First {
        @Autowired
        Service service;

        @Test
        void run() {
            assertThat(service.run()).isEqualTo("ran");
        }
    }

    @SpringBootTest(
            classes = Application.class,
            properties = {"interlock.uri=memory:", "context=2"},
            webEnvironment = WebEnvironment.NONE)
    static class Second {
        @Autowired
        Service service;

        @Test
        void run() {
            assertThat(service.run()).isEqualTo("ran");
        }
    }

    @SpringBootTest(
            classes = Application.class,
            properties = {"interlock.uri=memory:", "context=1"},
            webEnvironment = WebEnvironment.NONE)
    static class Third {
        @Autowired
        Service service;

        @Test
        void run() {
            assertThat(service.run()).isEqualTo("ran");
        }
    }
}
