package dev.interlock.testkit.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records where virtual threads block without leaving their carriers, as Flight Recorder sees it. That a class is
 * loaded, or that another thread initializes it, does not count: it happens once for each class, and no code that uses
 * classes can avoid it.
 */
final class PinWatch implements AutoCloseable {

    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String REASON = "pinnedReason";

    private final Recording recording = new Recording();

    /** Watches from now on, for pins of any length. */
    PinWatch() {
        recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
        // Who writes events of its own waits for Flight Recorder, which pins.
        recording.disable("dev.interlock.Wait");
        recording.disable("dev.interlock.Hold");
        recording.start();
    }

    /** The stacks with our code on them that were pinned so far; it watches no longer. */
    List<String> ofOurCode() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("pinned", ".jfr");
        try {
            recording.dump(file);
            return read(file);
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> read(Path file) throws IOException {
        List<String> pinned = new ArrayList<>();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals(PINNED) && isOurs(event)) {
                    pinned.add(event.toString());
                }
            }
        }
        return pinned;
    }

    private static boolean isOurs(RecordedEvent event) {
        return !isOfAClass(event) && classes(event).anyMatch(name -> name.startsWith("dev.interlock."));
    }

    private static boolean isOfAClass(RecordedEvent event) {
        boolean waits = event.hasField(REASON)
                && String.valueOf(event.getString(REASON)).contains("initialization");
        return waits || classes(event).anyMatch(name -> name.equals("java.lang.ClassLoader"));
    }

    /** The classes whose methods are on the stack. */
    private static Stream<String> classes(RecordedEvent event) {
        return event.getStackTrace() == null
                ? Stream.empty()
                : event.getStackTrace().getFrames().stream()
                        .filter(RecordedFrame::isJavaFrame)
                        .map(frame -> frame.getMethod().getType().getName());
    }

    @Override
    public void close() {
        recording.close();
    }
}
