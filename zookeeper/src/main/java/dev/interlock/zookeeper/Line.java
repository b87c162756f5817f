package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.zookeeper.NodeName.Role;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those that take part in one lock or read/write lock, in the order of their sequence numbers: who comes before whom,
 * and who is in whose way. Pure.
 *
 * @param all in order; one that reads under its own write comes after that
 */
record Line(List<NodeName> all) {

    /**
     * Understands the children of a lock's node.
     *
     * @throws IllegalStateException if claims of another kind are among them
     */
    static Line of(LockId id, String path, List<String> children) {
        List<NodeName> all = ordered(children);
        if (of(id.kind(), children).size() < all.size()) {
            throw Failures.otherKind(id.name(), path);
        }
        return new Line(all);
    }

    /** The participants of this kind among these nodes, in order. */
    static List<NodeName> of(LockKind kind, List<String> children) {
        Set<Role> fitting = kind == LockKind.READ_WRITE ? EnumSet.of(Role.READ, Role.WRITE) : EnumSet.of(Role.LOCK);
        return ordered(children).stream()
                .filter(node -> fitting.contains(node.role()))
                .toList();
    }

    /** The participants among these nodes, in order. */
    static List<NodeName> ordered(List<String> children) {
        return children.stream()
                .map(NodeName::parse)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(NodeName::sequence)
                        .thenComparing(node -> node.role() == Role.WRITE ? 0 : 1))
                .toList();
    }

    /** The first node of this owner; null if there is none. */
    @Nullable
    NodeName of(OwnerId owner) {
        return all.stream().filter(node -> node.isOf(owner)).findFirst().orElse(null);
    }

    boolean has(String node) {
        return all.stream().anyMatch(each -> each.text().equals(node));
    }

    /** Who is in the way of one that would come now as this. */
    List<NodeName> inTheWayOf(Role role) {
        return role == Role.READ ? writers(all) : all;
    }

    /**
     * Who is in the way of this one, nearest last: for a reader the writers before it, for anybody else all before it.
     */
    List<NodeName> inTheWayOf(NodeName node) {
        List<NodeName> before = all.stream()
                .takeWhile(each -> each.sequence().compareTo(node.sequence()) < 0)
                .toList();
        return node.role() == Role.READ ? writers(before) : before;
    }

    /** Whether it is this one's turn. */
    boolean holds(NodeName node) {
        return inTheWayOf(node).isEmpty();
    }

    private static List<NodeName> writers(List<NodeName> nodes) {
        return nodes.stream().filter(node -> node.role() == Role.WRITE).toList();
    }
}
