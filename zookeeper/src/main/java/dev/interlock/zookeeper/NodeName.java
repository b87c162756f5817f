package dev.interlock.zookeeper;

import dev.interlock.spi.OwnerId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a participant's node: {@code _c_<uuid>-<role><sequence>}, as Curator has it. The UUID is made of the
 * owner id, so that everybody can find the nodes of an owner.
 *
 * @param text the whole name
 * @param role what it takes part as
 * @param sequence ten digits; participants are in the order of these texts
 */
record NodeName(String text, Role role, String sequence) {

    private static final Pattern FORM =
            Pattern.compile("(?s).*(lock-|__READ__|__WRIT__|lease-|wait-)(\\d{10}|-\\d{1,10})");

    /** What a node stands for. */
    enum Role {
        LOCK("lock-"),
        READ("__READ__"),
        WRITE("__WRIT__"),
        LEASE("lease-"),
        /** For a latch; not known to Curator. */
        WAIT("wait-");

        final String text;

        Role(String text) {
            this.text = text;
        }
    }

    /** How the names of all nodes of this owner begin. */
    static String prefix(OwnerId owner) {
        return "_c_" + UUID.nameUUIDFromBytes(owner.value().getBytes(StandardCharsets.UTF_8)) + '-';
    }

    /** Understands the name of a child; null if it is no participant. */
    static @Nullable NodeName parse(String child) {
        Matcher form = FORM.matcher(child);
        if (!form.matches()) {
            return null;
        }
        for (Role role : Role.values()) {
            if (role.text.equals(form.group(1))) {
                return new NodeName(child, role, form.group(2));
            }
        }
        return null;
    }

    /**
     * Whether this owner has made it, or is called so: the owner of another library's node goes by the name of the
     * node.
     */
    boolean isOf(OwnerId owner) {
        return text.startsWith(prefix(owner)) || text.equals(owner.value());
    }
}
