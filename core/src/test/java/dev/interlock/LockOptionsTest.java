package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Options are values: each is set, kept, compared, shown and undone, and none can be out of range. */
class LockOptionsTest {

    private static final Consumer<Lease> CALLBACK = Lease::close;

    /**
     * One option.
     *
     * @param shown what {@code toString} says of it
     */
    private record Option(Consumer<LockOptions.Builder> set, Consumer<LockOptions.Builder> undo, String shown) {}

    private static Map<String, Option> options() {
        Map<String, Option> options = new LinkedHashMap<>();
        LeaseTerm term = LeaseTerm.fixed(Duration.ofSeconds(7));
        options.put("lease", new Option(o -> o.lease(term), o -> o.lease(LeaseTerm.renewing()), "lease=" + term));
        options.put(
                "handOver",
                new Option(
                        o -> o.handOver(7, Duration.ofSeconds(8)),
                        o -> o.handOver(LockOptions.MAX_HAND_OVERS, Duration.ofMillis(10)),
                        "handOverCount=7, handOverTime=PT8S"));
        options.put("fair", new Option(o -> o.fair(true), o -> o.fair(false), "fair=true"));
        options.put("reentrant", new Option(o -> o.reentrant(false), o -> o.reentrant(true), "reentrant=false"));
        options.put(
                "forgetLostHolds",
                new Option(o -> o.forgetLostHolds(true), o -> o.forgetLostHolds(false), "forgetsLostHolds=true"));
        options.put(
                "releaseEarly",
                new Option(o -> o.releaseEarly(true), o -> o.releaseEarly(false), "releasesEarly=true"));
        options.put(
                "retained",
                new Option(o -> o.retained(Duration.ofSeconds(9)), o -> o.retained(Duration.ZERO), "retained=PT9S"));
        options.put(
                "lockDelay",
                new Option(o -> o.lockDelay(Duration.ofSeconds(6)), o -> o.lockDelay(Duration.ZERO), "lockDelay=PT6S"));
        options.put("participant", new Option(o -> o.participant("job"), o -> o.participant(""), "participant=job"));
        options.put(
                "onRevocationRequested",
                new Option(
                        o -> o.onRevocationRequested(CALLBACK),
                        o -> o.onRevocationRequested(null),
                        "onRevocationRequested=present"));
        return options;
    }

    private static LockOptions with(Consumer<LockOptions.Builder> change) {
        LockOptions.Builder builder = LockOptions.builder();
        change.accept(builder);
        return builder.build();
    }

    @Test
    void theTable_hasEachOption() {
        assertThat(Arrays.stream(LockOptions.Builder.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(Method::getName)
                        .filter(name -> !name.equals("build"))
                        .collect(Collectors.toSet()))
                .isEqualTo(options().keySet());
    }

    @Test
    void eachOption_isComparedShownCopiedAndUndone() {
        LockOptions defaults = LockOptions.defaults();
        options().forEach((name, option) -> {
            LockOptions changed = with(option.set());
            assertThat(changed).as(name).isNotEqualTo(defaults);
            assertThat(changed).as(name).isEqualTo(with(option.set())).hasSameHashCodeAs(with(option.set()));
            assertThat(changed.toString()).as(name).contains(option.shown());
            assertThat(changed.toBuilder().build()).as(name).isEqualTo(changed);
            assertThat(with(option.set().andThen(option.undo()))).as(name).isEqualTo(defaults);
        });
        assertThat(LockOptions.builder().build()).isEqualTo(defaults).hasSameHashCodeAs(defaults);
    }

    /** Fair is left out at the beginning, as it excludes another option. */
    @Test
    void optionsForAKind_areTheSameWithoutThoseThatItLacks() {
        LockOptions.Builder all = LockOptions.builder();
        options().forEach((name, option) -> {
            if (!name.equals("fair")) {
                option.set().accept(all);
            }
        });
        LockOptions whole = all.build();
        LockOptions plain = all.retained(Duration.ZERO).build();
        LockOptions fair = all.fair(true).build();
        assertThat(whole.forReadWriteLock()).isEqualTo(plain);
        assertThat(fair.forReadWriteLock()).isEqualTo(plain);
        assertThat(plain.forReadWriteLock()).isSameAs(plain);
        assertThat(fair.forSemaphore())
                .isEqualTo(fair.toBuilder()
                        .reentrant(true)
                        .forgetLostHolds(false)
                        .onRevocationRequested(null)
                        .build());
        assertThat(whole.forSemaphore())
                .isEqualTo(plain.toBuilder()
                        .reentrant(true)
                        .forgetLostHolds(false)
                        .onRevocationRequested(null)
                        .build());
        assertThat(fair.forElection()).isEqualTo(whole.forElection());
        assertThat(whole.forElection())
                .isEqualTo(LockOptions.builder()
                        .lease(whole.lease())
                        .lockDelay(whole.lockDelay())
                        .build());
    }

    @Test
    void toBuilder_leavesTheOptionsAsTheyAre() {
        LockOptions fair = LockOptions.builder().fair(true).build();
        assertThat(fair.toBuilder().fair(false).participant("job").build()).isNotEqualTo(fair);
        assertThat(fair).isEqualTo(LockOptions.builder().fair(true).build());
    }

    @Test
    void fairAndRetained_areRefusedTogether_inAnyOrder() {
        LockOptions.Builder both =
                LockOptions.builder().fair(true).retained(Duration.ofMinutes(5)).lockDelay(Duration.ofSeconds(1));
        assertThatThrownBy(both::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fair(true)")
                .hasMessageContaining("retained(PT5M)")
                .hasMessageContaining("default")
                .hasMessageContainingAll("fair(false)", "retained(Duration.ZERO)");
        assertThat(both.retained(Duration.ZERO).build().isFair()).isTrue();
    }

    @Test
    void whatIsOutOfRange_isRefusedAtOnce() {
        LockOptions.Builder builder = LockOptions.builder();
        assertRefused(() -> builder.handOver(-1, Duration.ZERO), "-1");
        assertRefused(() -> builder.handOver(1024, Duration.ZERO), "1024");
        assertRefused(() -> builder.handOver(1, Duration.ofMillis(-1)), "PT-0.001S");
        assertRefused(() -> builder.retained(Duration.ofMillis(-1)), "PT-0.001S");
        assertRefused(() -> builder.retained(LeaseTerm.MAX.plusNanos(1)), "PT8760H0.000000001S");
        assertRefused(() -> builder.lockDelay(Duration.ofMillis(-1)), "PT-0.001S");
        assertRefused(() -> builder.lockDelay(Duration.ofHours(2)), "PT2H");
        assertRefused(() -> builder.participant("p".repeat(129)), "129");
        assertThat(builder.build()).isEqualTo(LockOptions.defaults());
    }

    private static void assertRefused(Runnable call, String value) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(value);
    }
}
