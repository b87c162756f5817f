package dev.interlock.mongodb;

import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

/** The memory of a mongo-java-server with the change streams of {@link StreamingOplog}. */
final class StreamingBackend extends WholeAnswers {

    private final StreamingOplog streams = new StreamingOplog(getCursorRegistry());

    private volatile boolean routing;

    StreamingBackend() {
        oplog = streams;
    }

    /** From now on it says of itself that it routes to shards. */
    void route() {
        routing = true;
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        Document answer = super.handleCommand(channel, database, command, query);
        return routing && answer.containsKey("maxWireVersion") ? answer.append("msg", "isdbgrid") : answer;
    }

    StreamingOplog streams() {
        return streams;
    }
}
