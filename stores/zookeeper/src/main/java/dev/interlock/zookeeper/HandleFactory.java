package dev.interlock.zookeeper;

import dev.interlock.support.HostNames;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Makes ZooKeeper's own handles. They resolve the name of a server anew for each connection, on their own thread: see
 * {@link HostNames}.
 */
final class HandleFactory implements ZookeeperFactory {

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionMillis, Watcher watcher, boolean readOnly)
            throws Exception {
        return newZooKeeper(servers, sessionMillis, watcher, readOnly, null);
    }

    @Override
    public ZooKeeper newZooKeeper(
            String servers, int sessionMillis, Watcher watcher, boolean readOnly, @Nullable ZKClientConfig options)
            throws Exception {
        HostProvider hosts =
                new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses(), HostNames::resolve);
        return new ZooKeeper(servers, sessionMillis, watcher, readOnly, hosts, options);
    }
}
