package dev.interlock.testkit.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contracts can fail: for each bug the test that must notice it does, and the same tests pass on the store without
 * it.
 */
@Tag("wide")
class NegativeControlTest {

    /** For what a bug prevents. */
    private static final Duration IN_VAIN = Duration.ofSeconds(5);

    private static Arguments bug(String test, Function<MemoryStore, LockStore> store) {
        return Arguments.of(test, store);
    }

    static Stream<Arguments> bugsOfStores() {
        return Stream.of(
                bug("acquire_repeated_grantsTheSameFence_andOneReleaseIsEnough", Bugs.ForgetsIdempotency::new),
                bug("fences_increaseStrictly_overReacquisitionAndOverClients", Bugs.RepeatsFences::new),
                bug("waiting_release_wakesTheClientOfTheLongestWaitingClaim", Bugs.WakesNobody::new),
                bug("waiting_release_wakesTheClientOfTheLongestWaitingClaim", Bugs.WakesAll::new),
                bug("release_ofAnotherClaim_leavesTheHolderAlone", Bugs.ReleasesForAnyone::new),
                bug("release_repeatedWhileTheNextHolds_leavesTheNextAlone", Bugs.ReleasesForAnyone::new),
                bug("renew_ofAReleasedClaim_isDeleted_andBringsNothingBack", Bugs.RenewalRevives::new),
                bug("acquire_ofAHeldName_isBusy_forAnotherClientAndForTheSame", Bugs.GrantsToAll::new),
                bug("clients_thatCompete_areNeverInsideTogether", Bugs.GrantsToAll::new),
                bug("expiry_freesTheName_notBeforeTheLeaseIsOver", Bugs.ExpiresEarly::new),
                bug("waiting_release_ofAWaitingClaim_isFalse_andTakesItOffTheList", Bugs.KeepsWhoGaveUp::new),
                bug("waiting_aClaimThatDoesNotWait_isNeitherListedNorWoken", Bugs.ListsWhoOnlyTries::new),
                bug("replacing_withOthersWaiting_wakesTheFirst_andQueuesLast", Bugs.ReplacesWithoutATurn::new),
                bug("release_byForce_endsTheClaim_andTellsTheOwner", Bugs.ForgetsForce::new),
                bug("names_thatAreAlike_areDifferent", Bugs.FoldsCase::new),
                bug("inspect_tellsTheHolder", Bugs.TellsFences::new),
                bug("close_thenEveryVerbFails_throughItsStage", Bugs.Throws::new));
    }

    @ParameterizedTest
    @MethodSource("bugsOfStores")
    void storeContract_noticesTheBug(String test, Function<MemoryStore, LockStore> store) {
        assertThat(ContractRuns.failures(ContractRuns.OfStore.class, store, IN_VAIN, test))
                .containsExactly(test);
    }

    @Test
    void storeContract_passesTheStoreWithoutABug() {
        String[] tests = bugsOfStores()
                .map(arguments -> (String) arguments.get()[0])
                .distinct()
                .toArray(String[]::new);

        assertThat(ContractRuns.failures(ContractRuns.OfStore.class, DelegatingStore::new, Patience.FULL, tests))
                .isEmpty();
    }

    static Stream<Arguments> bugsUnderLocks() {
        return Stream.of(
                bug("I02_contention_losesNoUpdate", Bugs.GrantsToAll::new),
                bug("I02_contention_ofLeasesThatEnd_neverOverlaps", Bugs.ExpiresEarly::new),
                bug("handle_tokens_growOverClients", Bugs.RepeatsFences::new),
                bug("P13_handOver_costsAtMostTwoRequests_howeverManyWait", Bugs.WakesAll::new),
                bug("P09_aGrantThatNobodySaw_isTakenBack", Bugs.KeepsWhatNobodySaw::new),
                bug("P02_release_whoseAnswerIsLost_isDone_andHarmlessWhenRepeated", Bugs.ReleasesForAnyone::new),
                bug("P27_close_leavesNoThread_andLogsNoError", Bugs.LeavesAThread::new),
                bug("P27_close_leavesNoThread_andLogsNoError", Bugs.ComplainsOfItsEnd::new),
                bug("P01_forced_isToldByTheNextRenewal", Bugs.ForgetsForce::new),
                bug("P30_inspect_tellsWhoHolds_sinceWhen_andWhoWaits", Bugs.TellsFences::new),
                bug("list_isOfHeldLocks_withThePrefix", Bugs.TakesPatterns::new),
                bug("P22_manyNames_onceEach_leaveNothingBehind", Bugs.KeepsNames::new));
    }

    @ParameterizedTest
    @MethodSource("bugsUnderLocks")
    void lockContract_noticesTheBug(String test, Function<MemoryStore, LockStore> store) {
        assertThat(ContractRuns.failures(ContractRuns.OfLock.class, store, IN_VAIN, test))
                .containsExactly(test);
    }

    @Test
    void lockContract_passesTheStoreWithoutABug() {
        String[] tests = bugsUnderLocks()
                .map(arguments -> (String) arguments.get()[0])
                .distinct()
                .toArray(String[]::new);

        assertThat(ContractRuns.failures(ContractRuns.OfLock.class, DelegatingStore::new, Patience.FULL, tests))
                .isEmpty();
    }
}
