package dev.interlock.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.GetOption.SortOrder;
import io.etcd.jetcd.options.GetOption.SortTarget;
import io.etcd.jetcd.options.PutOption;

/** The parts of etcd's transactions. Keys and values are text in UTF-8. */
final class Operations {

    private Operations() {}

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    /** Writes a key; one that exists keeps the revision of its creation. */
    static Op put(String key, String value, long lease) {
        return Op.put(
                bytes(key), bytes(value), PutOption.builder().withLeaseId(lease).build());
    }

    static Op delete(String key) {
        return Op.delete(bytes(key), DeleteOption.DEFAULT);
    }

    static Op get(String key) {
        return Op.get(bytes(key), GetOption.DEFAULT);
    }

    /** All keys that begin with the prefix. */
    static Op all(String prefix) {
        return Op.get(bytes(prefix), GetOption.builder().isPrefix(true).build());
    }

    /** How many keys begin with the prefix. */
    static Op count(String prefix) {
        return Op.get(
                bytes(prefix),
                GetOption.builder().isPrefix(true).withCountOnly(true).build());
    }

    /**
     * The two youngest keys that begin with the prefix.
     *
     * @param upTo the largest revision of their creation; 0 for any
     */
    static Op youngestTwo(String prefix, long upTo) {
        GetOption.Builder option = GetOption.builder()
                .isPrefix(true)
                .withSortField(SortTarget.CREATE)
                .withSortOrder(SortOrder.DESCEND)
                .withLimit(2);
        return Op.get(bytes(prefix), (upTo == 0 ? option : option.withMaxCreateRevision(upTo)).build());
    }

    /** Whether the key was created by this revision; 0: whether it does not exist. */
    static Cmp isCreated(String key, long revision) {
        return new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.createRevision(revision));
    }

    /** Whether the key was written last by this revision; 0: whether it does not exist. */
    static Cmp isWritten(String key, long revision) {
        return new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
    }
}
