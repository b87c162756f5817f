package dev.interlock.spring.tests;

import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.ResultForm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.LockedJob;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.ClassMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table of closing over annotated methods, whoever calls them: it is the application that closes. */
class ClosingFormsTest extends ClosingTable {

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("Locked RETURNED", new Returning(Jobs::value));
        forms.put(
                "Locked RETURNED" + VARIANT + "optional",
                new Returning((jobs, name, body) -> jobs.optional(name, body).orElseThrow()));
        forms.put("Locked RETURNED" + VARIANT + "scheduled", new OnSchedule(Nightly.class));
        forms.put("Locked STAGE", new Asynchronous((jobs, name, body) -> jobs.stage(name, body)
                .toCompletableFuture()));
        forms.put("Locked STAGE" + VARIANT + "future", new Asynchronous(Jobs::future));
        forms.put("Locked PUBLISHER", new Asynchronous((jobs, name, body) -> jobs.mono(name, body)
                .toFuture()));
        forms.put("Locked PUBLISHER" + VARIANT + "flux", new Asynchronous((jobs, name, body) -> jobs.flux(name, body)
                .single()
                .toFuture()));
        forms.put("Locked RETURNED" + VARIANT + "several names", new Returning(Jobs::severalNames));
        forms.put("Locked RETURNED" + VARIANT + "two locks", new Returning(Jobs::twoLocks));
        forms.put(
                "Locked STAGE" + VARIANT + "several names",
                new Asynchronous(
                        (jobs, name, body) -> jobs.stageOfSeveral(name, body).toCompletableFuture()));
        forms.put(
                "Locked PUBLISHER" + VARIANT + "several names",
                new Asynchronous(
                        (jobs, name, body) -> jobs.monoOfSeveral(name, body).toFuture()));
        forms.put("LockedJob RETURNED", new Returning(Jobs::job));
        forms.put("LockedJob STAGE", new Asynchronous((jobs, name, body) -> jobs.jobOfStage(name, body)
                .toCompletableFuture()));
        forms.put("LockedJob PUBLISHER", new Asynchronous((jobs, name, body) -> jobs.jobOfMono(name, body)
                .toFuture()));
        forms.put("LeaderOnly RETURNED", new Leading());
        forms.put("LeaderOnly RETURNED" + VARIANT + "scheduled", new OnSchedule(NightlyOfTheLeader.class));
        return forms;
    }

    /** Each annotation of ours with each form of results; but {@code @LeaderOnly} has one alone. */
    @Override
    protected Collection<String> found() {
        return annotations()
                .flatMap(annotation -> Arrays.stream(ResultForm.values())
                        .filter(form -> !annotation.equals("LeaderOnly") || form == ResultForm.RETURNED)
                        .map(form -> annotation + " " + form))
                .toList();
    }

    /** The simple names of the annotations that applications use, but for those of {@code interlock-test}. */
    private static Stream<String> annotations() {
        try {
            CachingMetadataReaderFactory readers = new CachingMetadataReaderFactory();
            List<String> names = new ArrayList<>();
            for (Resource type :
                    new PathMatchingResourcePatternResolver().getResources("classpath*:dev/interlock/**/*.class")) {
                ClassMetadata metadata = readers.getMetadataReader(type).getClassMetadata();
                if (metadata.isAnnotation()
                        && metadata.getEnclosingClassName() == null
                        && !metadata.getClassName().startsWith("dev.interlock.test.")) {
                    names.add(ClassUtils.getShortName(metadata.getClassName()));
                }
            }
            return names.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A method of each form. */
    static class Jobs {

        @Locked("#{#name}")
        public String value(String name, FormBody body) throws InterruptedException {
            return body.run();
        }

        @Locked("#{#name}")
        public Optional<String> optional(String name, FormBody body) throws InterruptedException {
            return Optional.of(body.run());
        }

        @Locked("#{#name}")
        public CompletionStage<@Nullable String> stage(String name, FormBody body) {
            return body.begin().thenApply(value -> value);
        }

        @Locked("#{#name}")
        public CompletableFuture<@Nullable String> future(String name, FormBody body) {
            return body.begin().thenApply(value -> value);
        }

        @Locked("#{#name}")
        public Mono<@Nullable String> mono(String name, FormBody body) {
            return Mono.fromFuture(body::begin);
        }

        @LockedJob(name = "#{#name}")
        public String job(String name, FormBody body) throws InterruptedException {
            return body.run();
        }

        @LockedJob(name = "#{#name}")
        public CompletionStage<@Nullable String> jobOfStage(String name, FormBody body) {
            return body.begin().thenApply(value -> value);
        }

        @LockedJob(name = "#{#name}")
        public Mono<@Nullable String> jobOfMono(String name, FormBody body) {
            return Mono.fromFuture(body::begin);
        }

        @Locked("#{#name}")
        public Flux<@Nullable String> flux(String name, FormBody body) {
            return Flux.from(Mono.fromFuture(body::begin));
        }

        @Locked({"#{#name + '-first'}", "#{#name}"})
        public String severalNames(String name, FormBody body) throws InterruptedException {
            return body.run();
        }

        @Locked("#{#name}")
        @Locked("#{#name + '-second'}")
        public String twoLocks(String name, FormBody body) throws InterruptedException {
            return body.run();
        }

        @Locked({"#{#name + '-first'}", "#{#name}"})
        public CompletionStage<@Nullable String> stageOfSeveral(String name, FormBody body) {
            return body.begin().thenApply(value -> value);
        }

        @Locked({"#{#name + '-first'}", "#{#name}"})
        public Mono<@Nullable String> monoOfSeveral(String name, FormBody body) {
            return Mono.fromFuture(body::begin);
        }
    }

    /** A method of the leader. */
    static class LeaderJobs {

        @LeaderOnly("${form.name}")
        public @Nullable String value(FormBody body) throws InterruptedException {
            return body.run();
        }
    }

    /** What Spring calls by itself, again and again: its body runs once. */
    abstract static class Once {
        private final FormBody body;
        private final CompletableFuture<@Nullable String> result;
        private final AtomicBoolean ran = new AtomicBoolean();

        Once(FormBody body, CompletableFuture<@Nullable String> result) {
            this.body = body;
            this.result = result;
        }

        final void runOnce() throws InterruptedException {
            if (ran.compareAndSet(false, true)) {
                try {
                    result.complete(body.run());
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                    throw e;
                }
            }
        }
    }

    static class Nightly extends Once {

        Nightly(FormBody body, CompletableFuture<@Nullable String> result) {
            super(body, result);
        }

        @Scheduled(fixedDelay = 10)
        @Locked("${form.name}")
        public void work() throws InterruptedException {
            runOnce();
        }
    }

    static class NightlyOfTheLeader extends Once {

        NightlyOfTheLeader(FormBody body, CompletableFuture<@Nullable String> result) {
            super(body, result);
        }

        @Scheduled(fixedDelay = 10)
        @LeaderOnly("${form.name}")
        public void work() throws InterruptedException {
            runOnce();
        }
    }

    @EnableScheduling
    static class Schedules {

        @Bean
        ThreadPoolTaskScheduler scheduler() {
            return new ThreadPoolTaskScheduler();
        }
    }

    /** The applications of a form, one for each client. */
    private static final class Applications {

        private final Map<Interlock, AnnotationConfigApplicationContext> contexts = new ConcurrentHashMap<>();

        AnnotationConfigApplicationContext open(
                Interlock client, String name, Consumer<AnnotationConfigApplicationContext> beans) {
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            contexts.put(client, context);
            TestPropertyValues.of("form.name=" + name).applyTo(context);
            context.registerBean(
                    AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
                    DefaultLifecycleProcessor.class,
                    () -> new DefaultLifecycleProcessor());
            context.registerBean(Interlock.class, () -> client);
            context.register(InterlockAutoConfiguration.class);
            beans.accept(context);
            context.refresh();
            return context;
        }

        void close(Interlock client, boolean patiently) {
            AnnotationConfigApplicationContext context = Objects.requireNonNull(contexts.get(client));
            if (context.isActive()) {
                context.getBean(DefaultLifecycleProcessor.class)
                        .setTimeoutPerShutdownPhase(patiently ? Long.MAX_VALUE : 1);
            }
            context.close();
        }
    }

    private interface Method<T> {
        T call(Jobs jobs, String name, FormBody body) throws Exception;
    }

    /** A method that returns at its end. */
    private static final class Returning extends BlockingForm {
        private final Applications applications = new Applications();
        private final Method<@Nullable String> method;

        Returning(Method<@Nullable String> method) {
            this.method = method;
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            var context = applications.open(client, name, beans -> beans.registerBean(Jobs.class, () -> new Jobs()));
            return method.call(context.getBean(Jobs.class), name, body);
        }

        @Override
        public void shutDown(Interlock client, boolean patiently) {
            applications.close(client, patiently);
        }
    }

    /** A method that the leader runs. */
    private static final class Leading extends BlockingForm {
        private final Applications applications = new Applications();

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            var context = applications.open(
                    client, name, beans -> beans.registerBean(LeaderJobs.class, () -> new LeaderJobs()));
            await().until(() -> context.getBean(LeaderElections.class).isLeader(name));
            return context.getBean(LeaderJobs.class).value(body);
        }

        @Override
        public void shutDown(Interlock client, boolean patiently) {
            applications.close(client, patiently);
        }

        @Override
        public boolean isInterruptedAtTheEnd() {
            return true;
        }
    }

    /** A form whose caller does not wait in the method. */
    private abstract static class Handed implements Form {
        final Applications applications = new Applications();

        abstract CompletableFuture<@Nullable String> call(Interlock client, String name, FormBody body)
                throws Exception;

        @Override
        public final Call begin(Interlock client, String name, Wait wait, FormBody body) {
            CompletableFuture<@Nullable String> result;
            try {
                result = call(client, name, body);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            return new Call() {
                @Override
                public CompletableFuture<@Nullable String> result() {
                    return result;
                }

                @Override
                public void giveUp(String way) {
                    result.cancel(true);
                }
            };
        }

        @Override
        public void shutDown(Interlock client, boolean patiently) {
            applications.close(client, patiently);
        }

        @Override
        public List<String> ways() {
            return List.of("cancel");
        }
    }

    /** A method that returns a stage or a publisher. */
    private static final class Asynchronous extends Handed {
        private final Method<CompletableFuture<@Nullable String>> method;

        Asynchronous(Method<CompletableFuture<@Nullable String>> method) {
            this.method = method;
        }

        @Override
        CompletableFuture<@Nullable String> call(Interlock client, String name, FormBody body) throws Exception {
            var context = applications.open(client, name, beans -> beans.registerBean(Jobs.class, () -> new Jobs()));
            return method.call(context.getBean(Jobs.class), name, body);
        }
    }

    /** A method that a scheduler calls, which closes before anything else does. */
    private static final class OnSchedule extends Handed {
        private final Class<? extends Once> type;

        OnSchedule(Class<? extends Once> type) {
            this.type = type;
        }

        @Override
        CompletableFuture<@Nullable String> call(Interlock client, String name, FormBody body) {
            CompletableFuture<@Nullable String> result = new CompletableFuture<>();
            applications.open(client, name, beans -> {
                beans.register(Schedules.class);
                if (type == Nightly.class) {
                    beans.registerBean(Nightly.class, () -> new Nightly(body, result));
                } else {
                    beans.registerBean(NightlyOfTheLeader.class, () -> new NightlyOfTheLeader(body, result));
                }
            });
            return result;
        }

        /** Its result is that of the body: of a loss, which comes after that, only the log hears. */
        @Override
        public boolean isInterruptedAtTheEnd() {
            return true;
        }
    }
}
