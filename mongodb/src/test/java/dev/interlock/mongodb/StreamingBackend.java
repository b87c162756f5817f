package dev.interlock.mongodb;

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** The memory of a mongo-java-server with the change streams of {@link StreamingOplog}. */
final class StreamingBackend extends MemoryBackend {

    private final StreamingOplog streams = new StreamingOplog(getCursorRegistry());

    StreamingBackend() {
        oplog = streams;
    }

    StreamingOplog streams() {
        return streams;
    }
}
