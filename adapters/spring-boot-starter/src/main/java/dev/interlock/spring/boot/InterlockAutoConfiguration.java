package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LockObserver;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.spi.KnownStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.LeaderOnlyInterceptor;
import dev.interlock.spring.LeaderOnlyMethods;
import dev.interlock.spring.LockedInterceptor;
import dev.interlock.spring.LockedMethods;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Makes the client of the application, and has methods with {@link dev.interlock.annotation.Locked} run under their
 * locks.
 *
 * <p>The client is made without I/O, so that the application starts while its store is down. Its store is, in this
 * order: a bean of type {@link LockStore}; that of {@code interlock.uri}; the application's own connection.
 */
@AutoConfiguration(
        afterName = {
            // Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.mongo.MongoAutoConfiguration",
            // Boot 4
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration"
        })
@ConditionalOnClass(Interlock.class)
@EnableConfigurationProperties(InterlockProperties.class)
@Import({
    StoreConfigurations.Jdbc.class,
    StoreConfigurations.Lettuce.class,
    StoreConfigurations.DataRedis.class,
    StoreConfigurations.ZooKeeper.class,
    StoreConfigurations.Mongo.class
})
public class InterlockAutoConfiguration {

    private static final Pattern SCHEME = Pattern.compile("((?:jdbc:)?[a-zA-Z0-9+-]+):");

    /** The client, unless the application has its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Interlock.class)
    static class ClientConfiguration {

        @Bean
        ChosenStore interlockChosenStore(
                InterlockProperties properties,
                ObjectProvider<LockStore> ownStore,
                ObjectProvider<CandidateStore> candidates) {
            return chosen(
                    properties,
                    ownStore.getIfAvailable(),
                    candidates.orderedStream().toList());
        }

        /** Closed with the application. */
        @Bean(destroyMethod = "close")
        Interlock interlock(
                ChosenStore store,
                InterlockProperties properties,
                Environment environment,
                ObjectProvider<LockObserver> observers,
                ObjectProvider<InterlockBuilderCustomizer> customizers) {
            try {
                InterlockBuilder builder = store.client()
                        .get()
                        .application(application(properties, environment))
                        .namePrefix(properties.namePrefix())
                        .storeTimeout(properties.storeTimeout())
                        .attemptTimeout(properties.attemptTimeout())
                        .closeTimeout(properties.closeTimeout())
                        .lockOptions(properties.options(""));
                if (properties.pollCap() != null) {
                    builder.pollCap(properties.pollCap());
                }
                properties.locks().keySet().forEach(properties::options);
                observers.orderedStream().forEach(builder::observer);
                customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
                return builder.build();
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw new InterlockConfigurationException(
                        "Interlock could not be configured: " + e.getMessage(),
                        "Correct the properties under 'interlock', or add the artefact that the message names.",
                        e);
            }
        }
    }

    private static ChosenStore chosen(
            InterlockProperties properties, @Nullable LockStore own, List<CandidateStore> candidates) {
        if (own != null) {
            return new ChosenStore(own.getClass().getSimpleName(), () -> Interlock.builder(own));
        }
        String uri = properties.uri();
        if (uri != null && StringUtils.hasText(uri)) {
            return new ChosenStore(scheme(uri), () -> Interlock.builder(uri));
        }
        List<CandidateStore> chosen = candidates.stream()
                .filter(candidate -> properties.store() == null || candidate.kind() == properties.store())
                .toList();
        // A client and the factory that has made it are one connection.
        boolean ofOneKind = chosen.stream().map(CandidateStore::kind).distinct().count() == 1;
        if (ofOneKind) {
            CandidateStore one = chosen.get(0);
            return new ChosenStore(
                    one.kind().text(),
                    one.name(),
                    () -> Interlock.builder(one.store().get()));
        }
        if (chosen.isEmpty()) {
            throw new InterlockConfigurationException(
                    properties.store() == null
                            ? "Interlock has no store: there is neither interlock.uri nor a connection of the"
                                    + " application for which a store is on the class path."
                            : "Interlock has no store: interlock.store is "
                                    + properties.store().text()
                                    + ", and the application has no such connection, or its store is not on the class"
                                    + " path.",
                    "Set interlock.uri, for example to " + KnownStore.REDIS.example() + ", and add the store's module: "
                            + KnownStore.artifacts("or") + ". The last needs no server: set interlock.uri to "
                            + KnownStore.MEMORY.example() + ". Of several beans of one type mark one as primary.",
                    null);
        }
        throw new InterlockConfigurationException(
                "Interlock has several stores to choose from: "
                        + String.join(
                                ", ", chosen.stream().map(CandidateStore::found).toList()) + ".",
                "Set interlock.store to jdbc, redis, zookeeper or mongodb, or set interlock.uri.",
                null);
    }

    /** Such as {@code redis} or {@code jdbc:postgresql}; what follows may have a password. */
    private static String scheme(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        return scheme.lookingAt() ? scheme.group(1) : "unknown";
    }

    static String application(InterlockProperties properties, Environment environment) {
        return properties.application() != null
                ? properties.application()
                : environment.getProperty("spring.application.name", "");
    }

    /** What is at risk. */
    @Bean
    LeaseWatch interlockLeaseWatch() {
        return new LeaseWatch();
    }

    /** How many locked methods run. */
    @Bean
    RunningMethods interlockRunningMethods() {
        return new RunningMethods();
    }

    /** Ends the application in order. */
    @Bean
    InterlockLifecycle interlockLifecycle(RunningMethods running) {
        return new InterlockLifecycle(running);
    }

    /** Heard while clients close. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ClosingLog interlockClosingLog() {
        return new ClosingLog();
    }

    /** The elections in which the application stands. */
    @Bean
    LeaderElections interlockElections(
            ObjectProvider<Interlock> interlock,
            InterlockProperties properties,
            LeaderOnlyMethods methods,
            ApplicationContext context) {
        ApplicationContext parent = context.getParent();
        // An application with several clients, of which none is primary, may do without elections.
        return new LeaderElections(
                interlock::getObject,
                properties::options,
                () -> Stream.concat(properties.elections().stream(), methods.elections().stream())
                        .toList(),
                context::publishEvent,
                InterlockLifecycle.PHASE,
                parent == null
                        ? null
                        : parent.getBeanProvider(LeaderElections.class).getIfUnique());
    }

    /** Methods with {@code @LeaderOnly}. */
    @Configuration(proxyBeanMethods = false)
    @Import(ProxyRegistrar.class)
    static class LeaderOnlyConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LeaderOnlyMethods interlockLeaderOnlyMethods(ConfigurableBeanFactory beans) {
            return new LeaderOnlyMethods(beans::resolveEmbeddedValue);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor interlockLeaderOnlyAdvisor(
                LeaderOnlyMethods methods, ListableBeanFactory beans, Environment environment) {
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                    methods,
                    new LeaderOnlyInterceptor(
                            methods, SingletonSupplier.of(() -> beans.getBean(LeaderElections.class))));
            // Outside of the locks: only the leader takes them.
            advisor.setOrder(order(environment) - 1);
            return advisor;
        }
    }

    private static int order(Environment environment) {
        return environment.getProperty(
                "interlock.locked.order", Integer.class, InterlockProperties.Locked.DEFAULT_ORDER);
    }

    /** Methods with {@code @Locked}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "interlock.locked.enabled", matchIfMissing = true)
    @Import(ProxyRegistrar.class)
    static class LockedConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockedMethods interlockLockedMethods(ConfigurableBeanFactory beans) {
            return new LockedMethods(beans);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor interlockAdvisor(
                LockedMethods methods, ListableBeanFactory beans, Environment environment) {
            // Made early, with the first bean: whatever has more behind it is looked up by the first call.
            LockedInterceptor interceptor = new LockedInterceptor(
                    methods,
                    beans,
                    name -> beans.getBean(InterlockProperties.class).options(name),
                    // Kept: a context that is closed would try to make another one, which refuses nothing.
                    SingletonSupplier.of(() -> beans.getBean(RunningMethods.class)));
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, interceptor);
            advisor.setOrder(order(environment));
            return advisor;
        }
    }

    /** Has beans proxied by their classes, as Boot does, unless the application says that it wants interfaces. */
    static class ProxyRegistrar implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        ProxyRegistrar(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
