package dev.interlock.zookeeper;

import dev.interlock.testkit.contract.lock.MovedNameContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class MovedNameTest implements MovedNameContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    public int serverPort() {
        return SERVER.server().port();
    }

    @Override
    public String uriAt(String host) {
        return "zk://" + host + "?session=40s";
    }
}
