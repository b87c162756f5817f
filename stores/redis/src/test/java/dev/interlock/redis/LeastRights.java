package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server with a user who has no more rights than docs/redis.md calls the least. */
final class LeastRights implements AutoCloseable {

    private static final Path DOCUMENT = Path.of("..", "..", "docs", "redis.md");
    private static final String USER = "least";

    final RedisServer server = RedisServer.builder().password("admin").start();

    LeastRights() {
        grant(server, USER, documented());
    }

    static void grant(RedisServer server, String user, String rights) {
        String[] words = ("ACL SETUSER " + user + " reset on >secret " + rights).split(" ", -1);
        assertThat(server.command(words)).isEqualTo("OK");
    }

    /** What stands behind the password in the document's line. */
    static String documented() {
        try {
            String line = Files.readAllLines(DOCUMENT).stream()
                    .filter(candidate -> candidate.startsWith("ACL SETUSER"))
                    .findFirst()
                    .orElseThrow();
            return line.substring(line.indexOf(">secret ") + ">secret ".length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** That of the user. */
    String uri() {
        return uriAt(server.port());
    }

    /** The same through a proxy. */
    String uriAt(int port) {
        return uri(USER, port);
    }

    static String uri(String user, int port) {
        return "redis://" + user + ":secret@127.0.0.1:" + port;
    }

    /**
     * What the server has refused this user, but for INFO, without which the store does. A script may have hidden it.
     */
    private List<String> missed() {
        List<String> words = server.list("ACL", "LOG");
        List<String> missed = new ArrayList<>();
        for (int i = words.indexOf("object"); i >= 0 && i < words.size() - 3; i++) {
            if (words.get(i).equals("object")
                    && words.get(i + 3).equals(USER)
                    && !words.get(i + 1).equals("info")) {
                missed.add(words.get(i + 1));
            }
        }
        return missed;
    }

    /**
     * Ends the server.
     *
     * @throws AssertionError if the user has missed a right
     */
    @Override
    public void close() {
        try {
            assertThat(missed()).as("rights that were missed").isEmpty();
        } finally {
            server.close();
        }
    }
}
