package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys below the store's path that somebody else has written. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileKeysTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @ParameterizedTest
    @ValueSource(strings = {"%latch", "%semaphore"})
    void unreadableState_isAnErrorOfItsNameAlone(String kind) throws Exception {
        String key = "interlock" + kind + "/hostile-2/";
        ETCD.client()
                .getKVClient()
                .put(Operations.bytes(key), Operations.bytes("rubbish"))
                .join();
        try (Interlock client = Interlock.connect(ETCD.uri())) {
            client.lock("hostile-1").acquire();
            client.semaphore("hostile-3", 1).acquire();

            assertThat(client.administration().list("hostile", 10))
                    .extracting(LockStatus::name)
                    .containsExactly("hostile-1", "hostile-3");

            assertThatThrownBy(() -> {
                        client.semaphore("hostile-2", 1).inspect();
                        client.latch("hostile-2").inspect();
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(key);
            assertThatThrownBy(() -> client.administration().inspect("hostile-2"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(key);
        } finally {
            ETCD.client().getKVClient().delete(Operations.bytes(key)).join();
        }
    }
}
