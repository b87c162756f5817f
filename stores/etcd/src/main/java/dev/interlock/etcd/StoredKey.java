package dev.interlock.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import java.util.List;

/**
 * A key as etcd returns it.
 *
 * @param name the key itself, as text
 * @param value its value, as text
 * @param created the revision of its creation
 * @param written the revision that wrote it last
 * @param lease the lease with which it ends; 0 if it stays
 */
record StoredKey(String name, String value, long created, long written, long lease) {

    static StoredKey of(KeyValue key) {
        return new StoredKey(
                key.getKey().toString(UTF_8),
                key.getValue().toString(UTF_8),
                key.getCreateRevision(),
                key.getModRevision(),
                key.getLease());
    }

    /** The keys that a transaction has read. */
    static List<StoredKey> in(TxnResponse answer) {
        return answer.getGetResponses().stream()
                .flatMap(read -> read.getKvs().stream())
                .map(StoredKey::of)
                .toList();
    }
}
