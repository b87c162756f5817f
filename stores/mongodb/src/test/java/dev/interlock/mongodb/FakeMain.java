package dev.interlock.mongodb;

import de.bwaldvogel.mongo.MongoServer;
import dev.interlock.testkit.process.ChildMain;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** mongo-java-server as a process of its own: what it keeps is not in the heap that a test measures. */
final class FakeMain {

    private FakeMain() {}

    public static void main(String[] arguments) {
        MongoServer server = new MongoServer(new WholeAnswers());
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ChildMain parent = new ChildMain();
        parent.say("port " + server.getLocalAddress().getPort());
        while (parent.hear() != null) {
            // Nothing is expected but the end.
        }
        server.shutdownNow();
    }
}
