package dev.interlock.redis.connection;

import static dev.interlock.redis.connection.ConnectionState.CLOSED;
import static dev.interlock.redis.connection.ConnectionState.CONNECTING;
import static dev.interlock.redis.connection.ConnectionState.FLUSHING;
import static dev.interlock.redis.connection.ConnectionState.IDLE;
import static dev.interlock.redis.connection.ConnectionState.OPEN;
import static dev.interlock.redis.connection.ConnectionState.PROBING;
import static dev.interlock.redis.connection.ConnectionState.SUSPECT;
import static dev.interlock.redis.connection.ConnectionState.VERIFYING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.command.PlainCommand;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each move of a connection between its states, without a server, a thread or a clock. */
class NodeConnectionTest {

    private static final String[] HANDSHAKE = {"HELLO", "INFO memory"};

    private final FakeConnector connector = new FakeConnector();
    private final AtomicInteger troubles = new AtomicInteger();
    private long now;
    private final NodeConnection node =
            new NodeConnection(connector, new Handshake(), hello -> null, troubles::incrementAndGet, () -> now);

    @AfterAll
    static void shutDown() {
        FakeConnection.shutDown();
    }

    @Test
    void idle_command_opensOneConnectionForAllThatWait() {
        assertThat(node.state()).isEqualTo(IDLE);
        PlainCommand first = send("first");
        PlainCommand second = send("second");

        assertThat(node.state()).isEqualTo(CONNECTING);
        assertThat(connector.attempts).hasSize(1);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void connecting_opened_writesTheHandshakeAndThenWhatWaitedInOrder() {
        send("first");
        send("second");
        FakeConnection opened = connector.open();

        assertThat(node.state()).isEqualTo(OPEN);
        assertThat(opened.written).containsExactly(HANDSHAKE[0], HANDSHAKE[1], "ECHO first", "ECHO second");
        send("third");
        assertThat(opened.written).endsWith("ECHO third");
        assertThat(connector.attempts).hasSize(1);
    }

    /** The likely mistake: to let callers see the connection before those that came first are written. */
    @Test
    void flushing_commandsThatComeMeanwhile_areWrittenLast() {
        send("first");
        send("second");
        FakeConnection opened = connector.prepare();
        opened.on("ECHO first", () -> {
            assertThat(node.state()).isEqualTo(FLUSHING);
            send("third");
            send("fourth");
        });
        opened.on("ECHO third", () -> send("fifth"));
        connector.open(opened);

        assertThat(opened.written).endsWith("ECHO first", "ECHO second", "ECHO third", "ECHO fourth", "ECHO fifth");
        assertThat(node.state()).isEqualTo(OPEN);
    }

    @Test
    void connecting_failed_failsWhatWaitsAndPausesTwiceAsLongEachTime() {
        for (int pause : new int[] {0, 20, 40, 80, 160, 320, 320}) {
            PlainCommand command = send("x");
            if (pause > 0) {
                connector.runScheduled(Duration.ofMillis(pause));
            }
            assertThat(node.state()).isEqualTo(CONNECTING);
            connector.fail();

            assertThat(command).isCompletedExceptionally();
            assertThat(node.state()).isEqualTo(IDLE);
        }
        assertThat(troubles).hasValue(7);
        send("x");
        connector.runScheduled(Duration.ofMillis(320));
        FakeConnection opened = connector.open();
        opened.replyToHello("7.0.9");
        opened.breakDown();
        send("x");
        assertThat(connector.scheduled)
                .as("no pause after a connection that was open")
                .isEmpty();
    }

    @Test
    void idle_silence_verifiesTheNextConnection() {
        giveUpFor(NodeConnection.SILENCE);
        assertThat(node.state()).isEqualTo(SUSPECT);

        send("x");
        assertThat(node.state()).isEqualTo(PROBING);
    }

    @Test
    void connecting_silence_verifiesTheConnectionThatIsBeingOpened() {
        PlainCommand command = send("x");
        giveUpFor(NodeConnection.SILENCE);
        assertThat(node.state()).isEqualTo(PROBING);

        FakeConnection opened = connector.open();
        assertThat(node.state()).isEqualTo(VERIFYING);
        assertThat(opened.written).containsExactly(HANDSHAKE);

        opened.replyToHello("7.0.9");
        assertThat(node.state()).isEqualTo(OPEN);
        assertThat(opened.written).endsWith("ECHO x");
        assertThat(command).isNotDone();
    }

    @Test
    void probing_failed_staysSuspect() {
        giveUpFor(NodeConnection.SILENCE);
        PlainCommand command = send("x");
        connector.fail();

        assertThat(node.state()).isEqualTo(SUSPECT);
        assertThat(command).isCompletedExceptionally();
    }

    @Test
    void verifying_noReply_failsWhatWaitsAndSkipsTheServer() {
        FakeConnection opened = verifying();
        PlainCommand command = send("x");
        connector.runScheduled(NodeConnection.SILENCE);

        assertThat(node.state()).isEqualTo(SUSPECT);
        assertThatFailure(command).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(opened.isClosed()).isTrue();
        assertThat(connector.skipped).containsExactly(connector.address());
        assertThat(opened.written).containsExactly(HANDSHAKE);
    }

    @Test
    void verifying_broken_failsWhatWaits() {
        FakeConnection opened = verifying();
        PlainCommand command = send("x");
        opened.breakDown();

        assertThat(node.state()).isEqualTo(SUSPECT);
        assertThat(command).isCompletedExceptionally();
    }

    @Test
    void verifying_rejected_failsWhatWaits() {
        FakeConnection opened = verifying();
        PlainCommand command = send("x");
        opened.replyToHello("5.0.1");

        assertThat(node.state()).isEqualTo(SUSPECT);
        assertThatFailure(command).hasMessageContaining("Redis 6.0 or later");
    }

    @Test
    void verifying_disconnect_verifiesAnotherConnectionForWhatWaits() {
        FakeConnection outdated = verifying();
        PlainCommand command = send("x");
        node.disconnect();

        assertThat(node.state()).isEqualTo(PROBING);
        assertThat(outdated.isClosed()).isTrue();
        assertThat(command).isNotDone();
        connector.runScheduled(Duration.ofMillis(20));
        FakeConnection next = connector.open();
        next.replyToHello("7.0.9");
        assertThat(node.state()).isEqualTo(OPEN);
        assertThat(next.written).contains("ECHO x");
        assertThat(connector.skipped).isEmpty();
    }

    @Test
    void connecting_disconnect_doesNotUseTheConnectionOfBefore() {
        PlainCommand command = send("x");
        node.disconnect();
        FakeConnection outdated = connector.open();

        assertThat(node.state()).isEqualTo(CONNECTING);
        assertThat(outdated.isClosed()).isTrue();
        assertThat(outdated.written).isEmpty();
        connector.runScheduled(Duration.ofMillis(20));
        assertThat(connector.open().written).contains("ECHO x");
        assertThat(command).isNotDone();
    }

    @Test
    void flushing_disconnect_opensAnotherConnectionForWhatStillWaits() {
        PlainCommand written = send("written");
        FakeConnection outdated = connector.prepare();
        PlainCommand[] later = new PlainCommand[1];
        outdated.on("ECHO written", () -> {
            later[0] = send("later");
            node.disconnect();
            assertThat(node.state()).isEqualTo(CONNECTING);
        });
        connector.open(outdated);

        assertThat(node.state()).isEqualTo(CONNECTING);
        assertThat(written).as("nothing is sent twice").isCompletedExceptionally();
        connector.runScheduled(Duration.ofMillis(20));
        assertThat(connector.open().written).containsOnlyOnce("ECHO later").doesNotContain("ECHO written");
        assertThat(later[0]).isNotDone();
    }

    @Test
    void flushing_rejected_failsWhatWasWritten_andWhatWaits() {
        PlainCommand written = send("written");
        FakeConnection opened = connector.prepare();
        PlainCommand[] later = new PlainCommand[1];
        opened.on("ECHO written", () -> {
            later[0] = send("later");
            opened.replyToHello("5.0.1");
        });
        connector.open(opened);

        assertThat(node.state()).isEqualTo(IDLE);
        assertThatFailure(written).hasMessageContaining("Redis 6.0 or later");
        assertThatFailure(later[0]).hasMessageContaining("Redis 6.0 or later");
        assertThat(opened.isClosed()).isTrue();
        send("next");
        connector.runScheduled(Duration.ofMillis(320));
    }

    @Test
    void flushing_broken_verifiesTheNextConnection() {
        send("written");
        FakeConnection opened = connector.prepare();
        opened.on("ECHO written", opened::breakDown);
        connector.open(opened);

        assertThat(node.state()).isEqualTo(SUSPECT);
        send("next");
        connector.runScheduled(Duration.ofMillis(20));
        assertThat(node.state()).isEqualTo(PROBING);
    }

    @Test
    void open_broken_connectsAgainForTheNextCommand() {
        FakeConnection opened = open();
        PlainCommand inFlight = send("x");
        opened.breakDown();

        assertThat(node.state()).isEqualTo(IDLE);
        assertThat(inFlight).isCompletedExceptionally();
        assertThat(troubles).hasValue(1);
        send("y");
        assertThat(node.state()).isEqualTo(CONNECTING);
        assertThat(connector.open().written).contains("ECHO y").doesNotContain("ECHO x");
    }

    @Test
    void open_brokenBeforeAnyReply_verifiesTheNextConnection() {
        send("x");
        connector.open().breakDown();

        assertThat(node.state()).isEqualTo(SUSPECT);
    }

    /** The order of the two events does not matter: Lettuce fails the commands in flight before or after. */
    @Test
    void open_brokenInTheOtherOrder_verifiesTheNextConnection() {
        send("x");
        FakeConnection opened = connector.open();
        opened.breakDownBeforeCommandsFail();

        assertThat(node.state()).isEqualTo(SUSPECT);
    }

    @Test
    void open_brokenWithoutAnEventYet_isNotWrittenTo() {
        FakeConnection opened = open();
        opened.deactivated();
        send("x");

        assertThat(node.state()).isEqualTo(CONNECTING);
        assertThat(opened.written).doesNotContain("ECHO x");
    }

    @Test
    void open_rejected_failsWhatWaitedAndPauses() {
        PlainCommand first = send("first");
        FakeConnection opened = connector.open();
        assertThat(node.state()).isEqualTo(OPEN);
        opened.replyToHello("5.0.1");

        assertThat(node.state()).isEqualTo(IDLE);
        assertThatFailure(first).hasMessageContaining("Redis 6.0 or later");
        send("next");
        connector.runScheduled(Duration.ofMillis(320));
    }

    @Test
    void open_silence_closesTheConnection() {
        FakeConnection opened = open();
        node.replyReceived();
        giveUpFor(NodeConnection.SILENCE.minusNanos(1));
        assertThat(node.state()).isEqualTo(OPEN);

        now++;
        node.callerGaveUp();
        assertThat(node.state()).isEqualTo(SUSPECT);
        assertThat(opened.isClosed()).isTrue();
        assertThat(troubles).hasPositiveValue();
    }

    /** The likely mistake: to count from the first caller that gave up, whatever came in between. */
    @Test
    void open_repliesBetweenCallersThatGiveUp_isNoSilence() {
        open();
        for (int i = 0; i < 10; i++) {
            now += NodeConnection.SILENCE.toNanos();
            node.callerGaveUp();
            now++;
            node.callerGaveUp();
            node.replyReceived();
        }

        assertThat(node.state()).isEqualTo(OPEN);
    }

    @Test
    void open_disconnect_opensAnotherConnectionForTheNextCommand() {
        FakeConnection opened = open();
        node.disconnect();

        assertThat(node.state()).isEqualTo(IDLE);
        assertThat(opened.isClosed()).isTrue();
        send("x");
        assertThat(connector.open().written).contains("ECHO x");
    }

    /** The likely mistake: to let an event of an old connection end the present one. */
    @Test
    void events_ofAFormerConnection_changeNothing() {
        send("x");
        FakeConnection former = connector.open();
        node.disconnect();
        send("y");
        FakeConnection present = connector.open();
        present.replyToHello("7.0.9");
        former.breakDownBeforeCommandsFail();
        former.replyToHello("5.0.1");

        assertThat(node.state()).isEqualTo(OPEN);
        assertThat(present.isClosed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = ConnectionState.class, mode = EnumSource.Mode.EXCLUDE, names = "FLUSHING")
    void everyState_close_refusesCommands(ConnectionState state) {
        FakeConnection connection = reach(state);
        PlainCommand waits = state == IDLE || state == SUSPECT ? null : send("waits");
        node.close();

        assertThat(node.state()).isEqualTo(CLOSED);
        assertThat(send("refused")).isCompletedExceptionally();
        if (state == CONNECTING || state == PROBING) {
            assertThat(connector.open().isClosed())
                    .as("one that opens after the end")
                    .isTrue();
        } else if (connection != null) {
            assertThat(connector.closedFinally).containsExactly(connection);
        }
        if (waits != null && state != OPEN) {
            assertThat(waits).isCompletedExceptionally();
        }
        node.close();
        node.disconnect();
        giveUpFor(NodeConnection.SILENCE);
        assertThat(node.state()).isEqualTo(CLOSED);
    }

    @Test
    void flushing_close_failsWhatStillWaits() {
        send("written");
        FakeConnection opened = connector.prepare();
        PlainCommand[] later = new PlainCommand[1];
        opened.on("ECHO written", () -> {
            later[0] = send("later");
            node.close();
        });
        connector.open(opened);

        assertThat(node.state()).isEqualTo(CLOSED);
        assertThat(later[0]).isCompletedExceptionally();
        assertThat(connector.closedFinally).containsExactly(opened);
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void table_allowsNoMoveToTheSameStateAndNoneFromTheLast(ConnectionState state) {
        assertThat(state.next()).doesNotContain(state);
        assertThat(state.next().contains(CLOSED)).isEqualTo(state != CLOSED);
    }

    private FakeConnection open() {
        send("opens");
        FakeConnection opened = connector.open();
        opened.replyToHello("7.0.9");
        assertThat(node.state()).isEqualTo(OPEN);
        return opened;
    }

    private FakeConnection verifying() {
        giveUpFor(NodeConnection.SILENCE);
        send("opens");
        FakeConnection opened = connector.open();
        assertThat(node.state()).isEqualTo(VERIFYING);
        return opened;
    }

    /** Moves to this state, except for the one that lasts for a method call. Returns the connection, or null. */
    private @Nullable FakeConnection reach(ConnectionState state) {
        switch (state) {
            case OPEN -> {
                return open();
            }
            case VERIFYING -> {
                return verifying();
            }
            case CONNECTING -> send("x");
            case SUSPECT -> giveUpFor(NodeConnection.SILENCE);
            case PROBING -> {
                giveUpFor(NodeConnection.SILENCE);
                send("x");
            }
            case CLOSED -> node.close();
            case IDLE, FLUSHING -> {}
        }
        return null;
    }

    private void giveUpFor(Duration silence) {
        node.callerGaveUp();
        now += silence.toNanos();
        node.callerGaveUp();
    }

    /** A command that does not fail must not let the test hang. */
    private static AbstractThrowableAssert<?, ? extends Throwable> assertThatFailure(PlainCommand command) {
        assertThat(command).isCompletedExceptionally();
        return assertThatThrownBy(command::join);
    }

    @CanIgnoreReturnValue
    private PlainCommand send(String argument) {
        PlainCommand command = new PlainCommand(CommandType.ECHO, argument);
        node.send(command);
        return command;
    }
}
