package dev.interlock.spring.tests;

import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.ChildMain;
import dev.interlock.testkit.process.Signals;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application logs when a signal ends it: by then Boot and the JDK have taken their handlers away. */
class TerminationTest {

    static class Endless {
        @Locked("endless")
        public void run(ChildMain parent) throws InterruptedException {
            parent.say("entered");
            new CountDownLatch(1).await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LifecycleAutoConfiguration.class, InterlockAutoConfiguration.class})
    static class Application {

        @Bean
        Endless endless() {
            return new Endless();
        }

        public static void main(String[] args) throws InterruptedException {
            ChildMain parent = new ChildMain();
            parent.dieWithParent();
            SpringApplication application = new SpringApplication(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.run(args).getBean(Endless.class).run(parent);
        }
    }

    @Test
    void terminated_warnsOfTheMethodThatRuns_andOfTheLockThatStays() {
        try (ChildJvm application = ChildJvm.start(
                Application.class,
                "--interlock.uri=memory:",
                "--interlock.close-timeout=100ms",
                "--spring.lifecycle.timeout-per-shutdown-phase=100ms",
                // The message alone, so that it begins a line.
                "--logging.pattern.console=%p %m%n")) {
            application.await("entered", Patience.limit());
            Signals.send("TERM", application.pid());
            application.await("WARN Methods with @Locked still run", Patience.limit());
            application.await("WARN The client closes, and work under its locks goes on", Patience.limit());
            application.awaitExit(Patience.limit());
        }
    }
}
