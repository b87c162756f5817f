package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ScopedProxyMode;
import reactor.core.publisher.Mono;

/** Contexts with a parent, and beans that are made again. */
class ContextsTest {

    private final AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
    private final AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();

    static class Jobs {
        @Locked("job")
        public boolean plain(Interlock interlock) {
            return interlock.lock("job").isHeldByCurrentThread();
        }

        @Locked("job")
        public CompletionStage<Boolean> stage(Interlock interlock) {
            return CompletableFuture.completedStage(interlock.lock("job").isLocked());
        }

        @Locked("job")
        public Mono<Boolean> mono(Interlock interlock) {
            return Mono.fromSupplier(() -> interlock.lock("job").isLocked());
        }

        @LeaderOnly("job-leader")
        public Optional<String> leader() {
            return Optional.of("leader");
        }

        @Locked("endless")
        public CompletionStage<String> endless(CompletionStage<String> end) {
            return end;
        }
    }

    /** In the parent, beside those of the child. */
    static class ParentJobs extends Jobs {}

    @BeforeEach
    void open() {
        TestPropertyValues.of("interlock.uri=memory:").applyTo(parent);
        parent.register(InterlockAutoConfiguration.class, ParentJobs.class);
        parent.refresh();
        child.setParent(parent);
        child.register(InterlockAutoConfiguration.class, Jobs.class);
    }

    @AfterEach
    void close() {
        child.close();
        parent.close();
    }

    private static void assertWorks(AnnotationConfigApplicationContext context, Class<? extends Jobs> type) {
        Interlock interlock = context.getBean(Interlock.class);
        Jobs jobs = context.getBean(type);
        assertThat(jobs.plain(interlock)).isTrue();
        assertThat(jobs.stage(interlock).toCompletableFuture().join()).isTrue();
        assertThat(jobs.mono(interlock).block()).isTrue();
        assertThat(interlock.lock("job").isLocked()).isFalse();
        await().until(() -> jobs.leader().isPresent());
    }

    @Test
    void child_hasTheClientOfItsParent_andLeavesItOpen() {
        child.refresh();
        Interlock interlock = parent.getBean(Interlock.class);
        assertThat(child.getBean(Interlock.class)).isSameAs(interlock);
        assertWorks(parent, ParentJobs.class);
        assertWorks(child, Jobs.class);
        Jobs ofTheChild = child.getBean(Jobs.class);
        child.close();
        assertThatThrownBy(() -> ofTheChild.plain(interlock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("application is closing");
        assertThat(ofTheChild.leader()).isEmpty();
        assertWorks(parent, ParentJobs.class);
    }

    @Test
    void childThatCloses_waitsForItsOwnMethods_notItsParents() {
        child.refresh();
        Interlock interlock = parent.getBean(Interlock.class);
        CompletableFuture<String> end = new CompletableFuture<>();
        var call = parent.getBean(ParentJobs.class).endless(end).toCompletableFuture();
        await().until(() -> interlock.lock("endless").isLocked());
        child.close();
        assertThat(interlock.lock("endless").isLocked()).isTrue();
        end.complete("end");
        assertThat(call.join()).isEqualTo("end");
    }

    @Test
    void childThatIsStoppedAndStarted_leavesItsParentRunning() {
        child.refresh();
        child.stop();
        assertWorks(parent, ParentJobs.class);
        child.start();
        assertWorks(child, Jobs.class);
        // The child goes on alone.
        parent.getBean(LeaderElections.class).stop();
        assertWorks(child, Jobs.class);
    }

    /** Beans live until somebody refreshes them, as in the scope of Spring Cloud. */
    private static final class Refreshing implements Scope {
        private final Map<String, Object> beans = new ConcurrentHashMap<>();

        @Override
        public Object get(String name, ObjectFactory<?> factory) {
            Object bean = beans.get(name);
            if (bean == null) {
                bean = factory.getObject();
                beans.put(name, bean);
            }
            return bean;
        }

        @Override
        public @Nullable Object remove(String name) {
            return beans.remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {}

        @Override
        public @Nullable Object resolveContextualObject(String key) {
            return null;
        }

        @Override
        public @Nullable String getConversationId() {
            return null;
        }

        void refresh() {
            beans.clear();
        }
    }

    @org.springframework.context.annotation.Scope(value = "refreshing", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class RefreshedJobs extends Jobs {}

    @Test
    void beanThatIsMadeAgain_isLockedAsBefore_once() {
        Refreshing scope = new Refreshing();
        child.getBeanFactory().registerScope("refreshing", scope);
        child.register(RefreshedJobs.class);
        child.refresh();
        for (int i = 0; i < 3; i++) {
            // Twice, as by the proxy of the scope and by that of its target, a stage would wait for itself.
            assertWorks(child, RefreshedJobs.class);
            Object before = child.getBean("scopedTarget.contextsTest.RefreshedJobs");
            scope.refresh();
            assertThat(child.getBean("scopedTarget.contextsTest.RefreshedJobs")).isNotSameAs(before);
        }
    }

    @Test
    void singletonThatIsMadeAgain_isLockedAsBefore() {
        child.refresh();
        Jobs before = child.getBean(Jobs.class);
        child.getDefaultListableBeanFactory().destroySingleton(child.getBeanNamesForType(Jobs.class, true, false)[0]);
        assertThat(child.getBean(Jobs.class)).isNotSameAs(before);
        assertWorks(child, Jobs.class);
    }
}
