package dev.interlock.zookeeper;

import org.apache.zookeeper.Watcher.Event.EventType;

/** Receives the events of the nodes that it is registered for in {@link Watches}. */
interface NodeListener {

    /**
     * Something has happened to a watched node. An event may be about a node that no longer matters to the listener.
     */
    void nodeChanged(EventType type, String nodePath);
}
