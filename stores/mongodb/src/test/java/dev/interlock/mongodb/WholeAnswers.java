package dev.interlock.mongodb;

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

/**
 * The memory of a mongo-java-server, with answers as MongoDB gives them: of one moment. Its own are the documents
 * themselves, which it writes to the network while other commands change them, so that a client may read one field from
 * before a change and the next from after it.
 */
class WholeAnswers extends MemoryBackend {

    private final Object documents = new Object();

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        if (command.equals("getMore")) {
            // May wait for a change, which needs the lock; and what it reads may be of any moment since it was asked.
            return whole(super.handleCommand(channel, database, command, query));
        }
        synchronized (documents) {
            return whole(super.handleCommand(channel, database, command, query));
        }
    }

    private Document whole(Document answer) {
        synchronized (documents) {
            return answer.cloneDeeply();
        }
    }
}
