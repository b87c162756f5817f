package dev.interlock.etcd;

import dev.interlock.testkit.contract.lock.MovedNameContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class MovedNameTest implements MovedNameContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    public int serverPort() {
        return ETCD.server().port();
    }

    @Override
    public String uriAt(String host) {
        return "etcd://" + host + "/interlock?session=40s";
    }
}
