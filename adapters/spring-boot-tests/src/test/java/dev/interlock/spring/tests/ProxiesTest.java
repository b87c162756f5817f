package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which proxies beans have, and what is said of those that can have none. */
class ProxiesTest {

    private static final String BY_INTERFACE = "spring.aop.proxy-target-class=false";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory);

    interface Job {
        boolean held(Interlock interlock);
    }

    static class Open implements Job {
        @Locked("x")
        @Override
        public boolean held(Interlock interlock) {
            return interlock.lock("x").isHeldByCurrentThread();
        }
    }

    static final class Final implements Job {
        @Locked("x")
        @Override
        public boolean held(Interlock interlock) {
            return interlock.lock("x").isHeldByCurrentThread();
        }
    }

    static final class FinalAlone implements Job {
        @Override
        public boolean held(Interlock interlock) {
            return false;
        }

        @Locked("x")
        public void alone() {}
    }

    static final class FinalLeader implements Job {
        @LeaderOnly("x")
        @Override
        public boolean held(Interlock interlock) {
            return false;
        }
    }

    @Test
    void beans_areProxiedByClass_orByInterfaceIfConfigured() {
        application.withBean(Open.class).run(context -> {
            assertThat(context.getBean(Open.class).held(context.getBean(Interlock.class)))
                    .isTrue();
        });
        application.withPropertyValues(BY_INTERFACE).withBean(Open.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThat(Proxy.isProxyClass(job.getClass())).isTrue();
            assertThat(job.held(context.getBean(Interlock.class))).isTrue();
        });
    }

    @Test
    void finalClass_isRefused_andWhatIsSaidHelps() {
        for (Class<?> refused : new Class<?>[] {Final.class, FinalAlone.class, FinalLeader.class}) {
            application.withBean(refused).run(context -> assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContainingAll("remove 'final'", BY_INTERFACE));
        }
        application.withPropertyValues(BY_INTERFACE).withBean(Final.class).run(context -> assertThat(
                        context.getBean(Job.class).held(context.getBean(Interlock.class)))
                .isTrue());
        application.withPropertyValues(BY_INTERFACE).withBean(FinalAlone.class).run(context -> assertThat(
                        context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("in no interface"));
    }

    static class Base {
        public final void inherited() {}
    }

    @Locked("x")
    static class LockedType extends Base {
        public void open() {}
    }

    @Locked("x")
    static class LockedTypeWithFinal {
        public final void unchangeable() {}
    }

    @Locked("x")
    static class LockedTypeWithHelpers {
        public boolean held(Interlock interlock) {
            return interlock.lock("x").isHeldByCurrentThread() && helper() && shared();
        }

        final boolean helper() {
            return true;
        }

        public static boolean shared() {
            return true;
        }
    }

    /** No proxy can intercept it, and called on a proxy it would run without the lock, and without a word. */
    @Test
    void finalPublicMethod_ofALockedType_isRefused_byItsName() {
        for (Class<?> refused : new Class<?>[] {LockedType.class, LockedTypeWithFinal.class}) {
            application.withBean(refused).run(context -> assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining(
                            refused == LockedType.class ? "Base.inherited" : "LockedTypeWithFinal.unchangeable")
                    .hasMessageContaining("final")
                    .hasMessageContaining("annotate the other methods"));
        }
        application.withBean(LockedTypeWithHelpers.class).run(context -> assertThat(
                        context.getBean(LockedTypeWithHelpers.class).held(context.getBean(Interlock.class)))
                .isTrue());
    }

    @Locked("x")
    interface LockedClient {
        boolean held(Interlock interlock);
    }

    /** Its class has final methods: those of {@code Object}. */
    @Test
    void beanThatIsAProxyItself_ofALockedType_isNotRefused() {
        application
                .withBean(LockedClient.class, () -> (LockedClient) Proxy.newProxyInstance(
                        LockedClient.class.getClassLoader(),
                        new Class<?>[] {LockedClient.class},
                        (proxy, method, args) -> method.getName().equals("held")
                                && ((Interlock) args[0]).lock("x").isHeldByCurrentThread()))
                .run(context -> assertThat(context.getBean(LockedClient.class).held(context.getBean(Interlock.class)))
                        .isTrue());
    }

    /** As that of a client or a repository, which somebody makes of an interface. */
    interface Client {
        @Locked("x:#{#id}")
        boolean held(String id, Interlock interlock);

        @LeaderOnly("x")
        default void lead() {}
    }

    @Test
    void beanThatIsAProxyItself_isLocked_asItsInterfaceSays() {
        application
                .withBean(Client.class, () -> (Client) Proxy.newProxyInstance(
                        Client.class.getClassLoader(),
                        new Class<?>[] {Client.class},
                        (proxy, method, args) -> method.getName().equals("held")
                                ? ((Interlock) args[1]).lock("x:" + args[0]).isHeldByCurrentThread()
                                : null))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Client client = context.getBean(Client.class);
                    assertThat(client.held("7", context.getBean(Interlock.class)))
                            .isTrue();
                    client.lead();
                });
    }

    interface Action {
        @Locked("x:#{#id}")
        boolean held(String id, Interlock interlock);
    }

    @Test
    void beanThatIsALambda_isLocked_asItsInterfaceSays() {
        Action action = (id, interlock) -> interlock.lock("x:" + id).isHeldByCurrentThread();
        application.withBean(Action.class, () -> action).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Action.class).held("7", context.getBean(Interlock.class)))
                    .isTrue();
        });
    }
}
