package dev.interlock.mongodb;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Whose turn it may be now, as a field of the document: whoever ends a claim writes it along, and the change streams of
 * those who wait carry it to them. It stands there until it is written anew, and means nothing any more when it has
 * been told.
 */
final class Woken {

    static final String FIELD = "woken";

    private static final String OWNERS = "owners";

    /** Where a change says it: what was set by the update. */
    private static final List<String> PATH = List.of("updateDescription", "updatedFields", FIELD);

    private Woken() {}

    /** The field. The version makes it another one each time: what stays the same is no change. */
    static Document of(List<String> owners, long version) {
        return new Document(OWNERS, owners).append("version", version);
    }

    /** The changes that this client is to hear of, with what is to be known of each. */
    static List<Bson> pipeline(String clientId) {
        String owners = String.join(".", PATH) + '.' + OWNERS;
        return List.of(
                Aggregates.match(Filters.and(
                        Filters.eq("operationType", "update"),
                        Filters.regex(owners, '^' + Pattern.quote(clientId + ':')))),
                Aggregates.project(Projections.include(owners)));
    }

    /** Whom a change wakes, of this client or of others. */
    static List<String> owners(BsonDocument change) {
        BsonDocument at = change;
        for (String step : PATH) {
            if (!at.isDocument(step)) {
                return List.of();
            }
            at = at.getDocument(step);
        }
        List<String> owners = new ArrayList<>();
        if (at.isArray(OWNERS)) {
            for (BsonValue owner : at.getArray(OWNERS)) {
                if (owner.isString()) {
                    owners.add(owner.asString().getValue());
                }
            }
        }
        return owners;
    }
}
