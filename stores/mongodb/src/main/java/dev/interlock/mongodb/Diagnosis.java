package dev.interlock.mongodb;

import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.bson.Document;

/**
 * Looks at the deployment by commands that every user may run.
 *
 * @param server runs a command in the database of the store
 * @param database its name
 * @param collection the name of the collection
 */
record Diagnosis(UnaryOperator<Document> server, String database, String collection) {

    /** What the store needs, and with the last one waiting claims are woken. */
    private static final List<String> ACTIONS = List.of("find", "insert", "update", "remove", "changeStream");

    List<Finding> findings() {
        Examination found = new Examination();
        found.attempt(
                "server",
                "",
                () -> found.good(
                        "server", "MongoDB " + Fields.text(ask("buildInfo"), "version", "of unknown version")));
        found.attempt("topology", "", () -> topology(ask("hello"), found));
        found.attempt("rights", "look at the roles of the user yourself", () -> rights(found));
        return found.findings();
    }

    private Document ask(String command) {
        return server.apply(new Document(command, 1));
    }

    private static void topology(Document hello, Examination found) {
        if (Fields.text(hello, "msg", "").equals("isdbgrid")) {
            found.good("topology", "a sharded cluster; waiting claims poll");
            found.note(
                    "failover",
                    "each shard keeps what its majority has: see the members of the shard of this database",
                    "");
        } else if (Fields.text(hello, "setName", "").isEmpty()) {
            found.warn(
                    "topology",
                    "one server that is no replica set: a crash forgets the locks of the last moment, and waiting "
                            + "claims poll",
                    "make it a replica set, of one member at least");
        } else {
            replicaSet(hello, found);
        }
    }

    private static void replicaSet(Document hello, Examination found) {
        int members = size(hello, "hosts") + size(hello, "passives");
        int arbiters = size(hello, "arbiters");
        found.good(
                "topology",
                "replica set " + hello.get("setName") + " of " + members + " members"
                        + (arbiters == 0 ? "" : " and " + arbiters + " that only vote"));
        if (arbiters > 0 && members <= 2) {
            found.warn(
                    "failover",
                    "one member that is down stops all locks: a majority must have each, and arbiters keep nothing",
                    "make the arbiter a member with data");
        } else if (members <= 2) {
            found.note(
                    "failover",
                    "a failover forgets no lock, but one member that is down stops all of them",
                    "three members go on without one");
        } else {
            found.good("failover", "a failover forgets no lock: a majority has each");
        }
    }

    private void rights(Examination found) {
        Document answer = server.apply(new Document("connectionStatus", 1).append("showPrivileges", true));
        Document login = answer.get("authInfo") instanceof Document known ? known : new Document();
        if (size(login, "authenticatedUsers") == 0) {
            found.warn(
                    "rights",
                    "the server knows no users: everybody who reaches it can release any lock",
                    "enable authorization, and put a user into the URI");
            return;
        }
        Set<String> allowed = new TreeSet<>();
        for (Document privilege : Fields.list(login, "authenticatedUserPrivileges", Document.class)) {
            if (privilege.get("resource") instanceof Document resource && concerns(resource)) {
                allowed.addAll(Fields.list(privilege, "actions", String.class));
            }
        }
        List<String> missing = new ArrayList<>(ACTIONS);
        missing.removeAll(allowed);
        if (missing.isEmpty() || allowed.contains("anyAction")) {
            found.good("rights", "the user may do what locks need");
        } else if (missing.equals(List.of("changeStream"))) {
            found.note(
                    "rights", "waiting claims poll: the user lacks changeStream", "give the user the role readWrite");
        } else {
            found.bad("rights", "the user lacks " + String.join(", ", missing), "give the user the role readWrite");
        }
    }

    /** An empty name stands for any. */
    private boolean concerns(Document resource) {
        return Boolean.TRUE.equals(resource.get("anyResource"))
                || (Set.of("", database).contains(Fields.text(resource, "db", "?"))
                        && Set.of("", collection).contains(Fields.text(resource, "collection", "?")));
    }

    private static int size(Document document, String field) {
        return document.get(field) instanceof Collection<?> values ? values.size() : 0;
    }
}
