package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the store concludes from the answers that MongoDB documents. */
class DiagnosisTest {

    private static final Document BUILD = new Document("version", "8.0.1\u001b[2J");

    @Test
    void aReplicaSetOfThree_losesNothing() {
        Document hello = new Document("setName", "rs").append("hosts", List.of("a:1", "b:1", "c:1"));

        assertThat(verdicts(hello, login("find", "insert", "update", "remove", "changeStream")))
                .isEqualTo(Map.of(
                        "server", Verdict.GOOD,
                        "topology", Verdict.GOOD,
                        "failover", Verdict.GOOD,
                        "rights", Verdict.GOOD));
    }

    @Test
    void anArbiterAmongThree_stopsLocksWithOneMember() {
        Document hello = new Document("setName", "rs")
                .append("hosts", List.of("a:1", "b:1"))
                .append("arbiters", List.of("c:1"));

        assertThat(verdicts(hello, login("find"))).containsEntry("failover", Verdict.WARNING);
    }

    @Test
    void aServerByItself_isWarnedOf_andARouterIsNot() {
        assertThat(verdicts(new Document(), login("find"))).containsEntry("topology", Verdict.WARNING);
        assertThat(verdicts(new Document("msg", "isdbgrid"), login("find")))
                .containsEntry("topology", Verdict.GOOD)
                .containsEntry("failover", Verdict.NOTE);
    }

    @Test
    void rights_areThoseOnThisCollection() {
        assertThat(verdicts(new Document(), login("find", "insert", "update", "remove")))
                .containsEntry("rights", Verdict.NOTE);
        assertThat(verdicts(new Document(), login("find", "insert", "update"))).containsEntry("rights", Verdict.BAD);
        assertThat(verdicts(new Document(), new Document("authInfo", new Document())))
                .containsEntry("rights", Verdict.WARNING);
        assertThat(verdicts(new Document(), null)).containsEntry("rights", Verdict.UNKNOWN);
        Document elsewhere = login("find", "insert", "update", "remove", "changeStream");
        assertThat(new Diagnosis(command -> answer(command, new Document(), elsewhere), "other", "interlock")
                        .findings())
                .anySatisfy(finding -> {
                    assertThat(finding.check()).isEqualTo("rights");
                    assertThat(finding.verdict()).isEqualTo(Verdict.BAD);
                });
    }

    /** Not MongoDB: it knows some of the commands. */
    @Test
    void onAServer_eachCheckHasAFinding() {
        try (TestMongo mongo = TestMongo.start();
                MongoStore store = MongoStore.at(mongo.uri())) {
            assertThat(store.readClock().orElseThrow()).isPositive();
            assertThat(store.diagnose()).extracting(Finding::check).contains("server", "topology", "rights");
        }
    }

    private static Map<String, Verdict> verdicts(Document hello, @Nullable Document login) {
        return new Diagnosis(command -> answer(command, hello, login), "locks", "interlock")
                .findings().stream().collect(Collectors.toMap(Finding::check, Finding::verdict));
    }

    private static Document answer(Document command, Document hello, @Nullable Document login) {
        return switch (command.keySet().iterator().next()) {
            case "buildInfo" -> BUILD;
            case "hello" -> hello;
            default -> {
                if (login == null) {
                    throw new IllegalStateException("not authorized");
                }
                yield login;
            }
        };
    }

    private static Document login(String... actions) {
        return new Document(
                "authInfo",
                new Document("authenticatedUsers", List.of(new Document("user", "u")))
                        .append(
                                "authenticatedUserPrivileges",
                                List.of(new Document("resource", new Document("db", "locks").append("collection", ""))
                                        .append("actions", List.of(actions)))));
    }
}
