package dev.interlock.zookeeper.node;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.zookeeper.node.NodeName.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a lock or a read/write lock: its participants in the order of their sequence numbers, and who is in
 * whose way. Pure functions.
 *
 * @param all the participants, in order; a reader with the sequence number of its own write comes after that
 */
public record NodeQueue(List<NodeName> all) {

    /** The roles of a lock. */
    private static final Set<Role> LOCKS = EnumSet.of(Role.LOCK, Role.LEADER);

    private static final Set<Role> READ_WRITE_LOCKS = EnumSet.of(Role.READ, Role.WRITE);

    private static final Comparator<NodeName> ORDER =
            Comparator.comparing(NodeName::sequence).thenComparing(node -> node.role() == Role.WRITE ? 0 : 1);

    /**
     * The queue of a lock, from the children of its node.
     *
     * @throws IllegalStateException if claims of another kind are among them, or locks of both of Curator's recipes
     */
    public static NodeQueue of(LockId id, String path, List<String> children) {
        List<NodeName> all = ordered(children);
        Set<Role> roles = EnumSet.noneOf(Role.class);
        all.forEach(node -> roles.add(node.role()));
        if (!rolesOf(id.kind()).containsAll(roles)) {
            throw StoreRefusal.ofOtherKind(
                    "A name that is in use as one kind of lock cannot be used as another at the same time; use another"
                            + " name: name=" + id.printable() + ", path=" + path);
        }
        if (roles.containsAll(LOCKS)) {
            throw new StoreRefusal(
                    "A lock and a LeaderLatch of Curator do not exclude each other, so they cannot have one path; use"
                            + " another name, or the same recipe in all clients: name=" + id.printable() + ", path="
                            + path);
        }
        return new NodeQueue(all);
    }

    /** The participants of this kind among these nodes, in order. */
    public static List<NodeName> ofKind(LockKind kind, List<String> children) {
        Set<Role> fitting = rolesOf(kind);
        return ordered(children).stream()
                .filter(node -> fitting.contains(node.role()))
                .toList();
    }

    private static Set<Role> rolesOf(LockKind kind) {
        return kind == LockKind.READ_WRITE ? READ_WRITE_LOCKS : LOCKS;
    }

    /** The participants among these nodes, in order. */
    public static List<NodeName> ordered(List<String> children) {
        List<NodeName> nodes = new ArrayList<>(children.size());
        for (String child : children) {
            NodeName node = NodeName.parse(child);
            if (node != null) {
                nodes.add(node);
            }
        }
        nodes.sort(ORDER);
        return Collections.unmodifiableList(nodes);
    }

    /** The first node of this owner; null if there is none. */
    public @Nullable NodeName of(OwnerId owner) {
        return all.stream().filter(NodeName.isOf(owner)).findFirst().orElse(null);
    }

    /** The participants in the way of one that would enter now with this role. */
    public List<NodeName> inTheWayOf(Role role) {
        return role == Role.READ ? writers(all) : all;
    }

    /**
     * The participants in the way of this one, the nearest last: for a reader the writers before it, for any other all
     * before it. Where the numbers are not in order, nobody knows who came first, and all others are in the way.
     */
    public List<NodeName> inTheWayOf(NodeName node) {
        List<NodeName> before = node.isInOrder()
                ? all.stream()
                        .takeWhile(each -> each.sequence().compareTo(node.sequence()) < 0)
                        .toList()
                : all.stream().filter(each -> !each.equals(node)).toList();
        return node.role() == Role.READ ? writers(before) : before;
    }

    /** Whether this one holds: nobody is in its way. */
    public boolean holds(NodeName node) {
        return inTheWayOf(node).isEmpty();
    }

    /** Those that hold, in order, in one pass: each as {@link #holds} says. */
    public List<NodeName> holding() {
        List<NodeName> holding = new ArrayList<>();
        boolean isWritten = all.stream().anyMatch(node -> node.role() == Role.WRITE);
        String firstWrite = null;
        for (NodeName node : all) {
            boolean reads = node.role() == Role.READ;
            String first = reads ? firstWrite : all.get(0).sequence();
            boolean isFirst = first == null || first.equals(node.sequence());
            if (node.isInOrder() ? isFirst : reads ? !isWritten : all.size() == 1) {
                holding.add(node);
            }
            firstWrite = firstWrite == null && node.role() == Role.WRITE ? node.sequence() : firstWrite;
        }
        return holding;
    }

    private static List<NodeName> writers(List<NodeName> nodes) {
        return nodes.stream().filter(node -> node.role() == Role.WRITE).toList();
    }
}
