package dev.interlock.zookeeper;

import java.util.List;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.data.ACL;

/** Who may do what with a node that is made here. */
@FunctionalInterface
interface Rights {

    /** The access list of a node at this path. */
    List<ACL> of(String path);

    /** Those of a provider. */
    static Rights from(ACLProvider provider) {
        return path -> {
            List<ACL> own = provider.getAclForPath(path);
            return own == null ? provider.getDefaultAcl() : own;
        };
    }
}
