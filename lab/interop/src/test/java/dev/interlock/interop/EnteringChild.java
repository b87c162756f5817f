package dev.interlock.interop;

import dev.interlock.testkit.process.ChildMain;
import dev.interlock.zookeeper.ZooKeeperStore;

/** A process that enters a double barrier of ours, says so, and stays inside until it is killed. */
public final class EnteringChild {

    private EnteringChild() {}

    /** Arguments: the URI of the store, the name of the barrier, how many parties it wants. */
    public static void main(String[] arguments) throws Exception {
        ChildMain parent = new ChildMain();
        parent.dieWithParent();
        try (ZooKeeperStore store = ZooKeeperStore.at(arguments[0])) {
            parent.say("entering");
            store.curatorDoubleBarrier(arguments[1], Integer.parseInt(arguments[2]))
                    .enter();
            parent.say("inside");
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
