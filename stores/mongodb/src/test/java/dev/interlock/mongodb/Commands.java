package dev.interlock.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;

/** The commands that a client has sent. */
final class Commands implements CommandListener {

    private final List<BsonDocument> sent = new CopyOnWriteArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        // The event's own is read from the connection's buffer, which goes on.
        sent.add(event.getCommand().clone());
    }

    /** How many commands of this name since the last call of the others. */
    long count(String name) {
        return sent.stream()
                .filter(command -> command.getFirstKey().equals(name))
                .count();
    }

    /** The names of the commands since the last call. */
    List<String> names() {
        List<String> names = sent.stream().map(BsonDocument::getFirstKey).toList();
        sent.clear();
        return names;
    }

    /** The commands since the last call. */
    List<BsonDocument> all() {
        List<BsonDocument> all = List.copyOf(sent);
        sent.clear();
        return all;
    }
}
