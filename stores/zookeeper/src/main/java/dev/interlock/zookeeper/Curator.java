package dev.interlock.zookeeper;

import dev.interlock.support.OldDriver;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ConfigurableZookeeperFactory;

/**
 * The least version of Curator that the store works with: the first that passes on the options of ZooKeeper's client.
 */
final class Curator {

    private static final String LEAST = "5.2.0";

    private Curator() {}

    /**
     * Checks that Curator is new enough, before anything of it is used.
     *
     * @throws IllegalStateException if it is too old
     */
    static void require() {
        try {
            var unused = ConfigurableZookeeperFactory.class;
        } catch (NoClassDefFoundError e) {
            throw OldDriver.refused(
                    "org.apache.curator:curator-framework", LEAST, "curator.version", CuratorFramework.class, e);
        }
    }
}
