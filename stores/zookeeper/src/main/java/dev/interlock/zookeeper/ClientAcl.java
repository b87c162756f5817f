package dev.interlock.zookeeper;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.proto.CreateRequest;

/**
 * The access lists that an application's own client gives to its nodes. Curator does not disclose its provider, but
 * puts the lists into the operations that it prepares: one that creates the node is prepared, and never sent.
 * Thread-safe, as the client is.
 */
final class ClientAcl implements ACLProvider {

    private final CuratorFramework client;

    /** The access lists of this client. */
    ClientAcl(CuratorFramework client) {
        this.client = client;
    }

    @Override
    public List<ACL> getDefaultAcl() {
        return getAclForPath("/");
    }

    @Override
    public List<ACL> getAclForPath(String path) {
        Op creation;
        try {
            // Without the namespace: the path begins at the root, and the client does not look whether its namespace
            // exists.
            creation = client.usingNamespace(null)
                    .transactionOp()
                    .create()
                    .withMode(CreateMode.PERSISTENT)
                    .forPath(path, new byte[0])
                    .get();
        } catch (IllegalStateException e) {
            throw Failures.notStarted();
        } catch (Exception e) {
            throw new IllegalStateException("The application's client gives no access list for path=" + path, e);
        }
        return ((CreateRequest) creation.toRequestRecord()).getAcl();
    }
}
