package dev.interlock.specification;

import static dev.interlock.specification.Model.small;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invariants I1 to I8: no state of the protocol breaks a promise, and each rule that is broken costs one. */
class SpecificationTest {

    @Test
    void theSmallestModel_keepsItsPromises() throws IOException, InterruptedException {
        assertKept(small(1));
    }

    @ParameterizedTest
    @MethodSource("models")
    @Tag("long")
    void theProtocol_keepsItsPromises(Model model) throws IOException, InterruptedException {
        assertKept(model);
    }

    static Stream<Model> models() {
        return Stream.of(
                small(3),
                small(1).withRepeats(1).withCrashes(1),
                small(0).withClients(3),
                threeWithTwoNames(),
                small(1).withNames(2).withRepeats(1).withCrashes(1).inEssence());
    }

    /** Each takes minutes of processor time. */
    @ParameterizedTest
    @MethodSource("largeModels")
    @Tag("long")
    @Tag("scaled")
    @Tag("minutes")
    void theProtocol_keepsItsPromises_inLargeModels(Model model) throws IOException, InterruptedException {
        assertKept(model);
    }

    static Stream<Model> largeModels() {
        return Stream.of(
                threeWithTwoNames().withRepeats(1),
                small(1).withClients(3).withNames(2).withCrashes(1).inEssence());
    }

    private static Model threeWithTwoNames() {
        return small(0).withClients(3).withNames(2).inEssence();
    }

    private static void assertKept(Model model) throws IOException, InterruptedException {
        Tlc.Verdict verdict = Tlc.check(model);

        System.out.printf("%,12d states: %s%n", verdict.states(), model);
        assertThat(verdict.refuted()).as(verdict.output()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokenRules")
    @Tag("long")
    void aBrokenRule_costsAPromise(String promise, Model model) throws IOException, InterruptedException {
        Tlc.Verdict verdict = Tlc.check(model);

        assertThat(verdict.refuted()).as(verdict.output()).isEqualTo(promise);
    }

    /** A rule that can be broken, and that nobody breaks, may cost nothing. */
    @Test
    void everyRuleThatCanBeBroken_isBroken() throws IOException {
        Set<String> rules = Pattern.compile("Broken [=#] \"([^\"]+)\"")
                .matcher(Files.readString(Tlc.SPECIFICATION))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(brokenRules().map(arguments -> ((Model) arguments.get()[1]).broken()))
                .containsOnly(rules.toArray(String[]::new));
    }

    static Stream<Arguments> brokenRules() {
        return Stream.of(
                Arguments.of("OnlyTheOwner", small(1).breaking("no exclusion")),
                Arguments.of("OnlyTheOwner", small(1).breaking("release of another")),
                Arguments.of("NothingLeft", small(1).breaking("absent is final")),
                Arguments.of("NothingLeft", small(1).breaking("was there is final")),
                Arguments.of("NothingLeft", small(1).breaking("release once")),
                Arguments.of("TokenOrder", small(1).breaking("no fence")),
                Arguments.of("HeldInTheStore", small(1).breaking("deadline from the reply")),
                Arguments.of("HeldInTheStore", small(1).breaking("no margin")),
                Arguments.of("NoRevival", small(1).breaking("revive")),
                Arguments.of("GrowingTokens", small(1).breaking("token not stored")),
                Arguments.of("GrowingTokens", small(1).withCrashes(1).breaking("counter alone")),
                Arguments.of("RenewedWhileHeld", small(1).breaking("renew after release")),
                Arguments.of("OnlyTheOwner", threeWithTwoNames().breaking("no exclusion")),
                Arguments.of("OnlyTheOwner", threeWithTwoNames().breaking("release of another")),
                Arguments.of("HeldInTheStore", threeWithTwoNames().breaking("no margin")),
                Arguments.of("GrowingTokens", small(1).breaking("renewal brings back")));
    }
}
