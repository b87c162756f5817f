package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder is told of waits and holds. */
@Timeout(300)
class FlightRecorderTest {

    private static final String WAIT = "dev.interlock.Wait";
    private static final String HOLD = "dev.interlock.Hold";

    @TempDir
    private Path folder = Path.of(".");

    @Test
    void waitsAndHoldsAreRecorded() throws Exception {
        try (Recording recording = new Recording();
                Interlock client = Interlock.builder(new MemoryStore()).build()) {
            recording.enable(WAIT).withoutThreshold();
            recording.enable(HOLD).withoutThreshold();
            recording.start();
            Lease first = client.lock("n").acquire();

            Thread interrupted = new Thread(waiting(client, Duration.ofMinutes(1)), "interrupted");
            start(interrupted);
            interrupted.interrupt();
            interrupted.join();
            assertThat(client.lock("n").tryAcquire(Duration.ofMillis(1))).isEmpty();
            FutureTask<Lease> next = waiting(client, Duration.ofMinutes(1));
            start(new Thread(next, "granted"));
            first.close();
            Lease second = next.get(5, TimeUnit.MINUTES);
            second.close();
            recording.stop();

            List<RecordedEvent> waits = recorded(recording, WAIT);
            assertThat(waits).allMatch(wait -> wait.getString("name").equals("n"));
            assertThat(waits)
                    .extracting(wait -> wait.getThread().getJavaName() + " " + wait.getBoolean("acquired"))
                    .containsExactlyInAnyOrder(
                            "interrupted false", Thread.currentThread().getName() + " false", "granted true");
            assertThat(recorded(recording, HOLD))
                    .extracting(hold -> hold.getLong("token") + " " + hold.getString("outcome"))
                    .containsExactlyInAnyOrder(first.token() + " RELEASED", second.token() + " RELEASED");
        }
    }

    /** An event that nobody records is not even made. */
    @Test
    void withoutARecording_thereAreNoEvents() {
        assertThat(WaitEvent.begin("n")).isNull();
        assertThat(HoldEvent.begin("n", 1)).isNull();
        try (Recording recording = new Recording()) {
            recording.enable(WAIT);
            recording.enable(HOLD);
            recording.start();
            assertThat(WaitEvent.begin("n")).isNotNull();
            assertThat(HoldEvent.begin("n", 1)).isNotNull();
        }
    }

    private static FutureTask<Lease> waiting(Interlock client, Duration wait) {
        return new FutureTask<>(() -> client.lock("n").tryAcquire(wait).orElseThrow());
    }

    private static void start(Thread thread) {
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private List<RecordedEvent> recorded(Recording recording, String type) throws IOException {
        Path file = folder.resolve(type + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .toList();
    }
}
