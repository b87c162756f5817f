package dev.interlock.zookeeper.node;

import dev.interlock.spi.OwnerId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The name of a participant's node: {@code _c_<uuid>-<role><sequence>}, as in Curator's recipes. The UUID is derived
 * from the owner id, so that any client can find the nodes of an owner.
 *
 * @param text the whole name
 * @param role the role of the participant
 * @param sequence ten digits; participants are in the order of these texts, as long as they are
 *     {@linkplain #isInOrder() in order}
 */
public record NodeName(String text, Role role, String sequence) {

    /** How many digits a number has that is not negative. */
    private static final int DIGITS = 10;

    private static final Role[] ROLES = Role.values();

    /** The first number that is not in order: half a million before the last, for those who enter at one moment. */
    private static final long END = 2_147_000_000;

    /** The role of a participant. */
    public enum Role {
        LOCK("lock-"),
        /** A lock beside Curator's {@code LeaderLatch}. */
        LEADER("latch-"),
        READ("__READ__"),
        WRITE("__WRIT__"),
        LEASE("lease-"),
        /** Waits for a latch; Curator has none. */
        WAIT("wait-");

        /** The role as it is in the name. */
        public final String text;

        Role(String text) {
            this.text = text;
        }
    }

    /** The beginning of the names of all nodes of this owner. */
    public static String prefix(OwnerId owner) {
        return "_c_" + UUID.nameUUIDFromBytes(owner.value().getBytes(StandardCharsets.UTF_8)) + '-';
    }

    /**
     * Parses the name of a child; null if it is no participant: it does not end with a role and ten digits, or with a
     * role, a minus sign and one to ten digits.
     */
    public static @Nullable NodeName parse(String child) {
        int start = child.length();
        while (start > 0 && isDigit(child.charAt(start - 1))) {
            start--;
        }
        int digits = child.length() - start;
        NodeName named = digits == DIGITS ? parse(child, start) : null;
        boolean negative = digits >= 1 && digits <= DIGITS && start > 0 && child.charAt(start - 1) == '-';
        return named == null && negative ? parse(child, start - 1) : named;
    }

    private static @Nullable NodeName parse(String child, int sequence) {
        for (Role role : ROLES) {
            if (child.startsWith(role.text, sequence - role.text.length())) {
                return new NodeName(child, role, child.substring(sequence));
            }
        }
        return null;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    /**
     * Whether a larger number says that a participant came later. Behind 2<sup>31</sup> - 1 a server gives that number
     * again and again and, to those who come while it has not executed the request before, negative ones.
     */
    public boolean isInOrder() {
        return sequence.charAt(0) != '-' && Long.parseLong(sequence) < END;
    }

    /** Whether a node is this owner's. The name of another library's node is also the id of its owner. */
    public static Predicate<NodeName> isOf(OwnerId owner) {
        String prefix = prefix(owner);
        return node -> node.text.startsWith(prefix) || node.text.equals(owner.value());
    }
}
