package dev.interlock.mongodb;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The verb renew: three commands, however many claims there are: one that has the server write its time, one that
 * reads, one that writes. If another client has written in between, all that were held are renewed once more: to renew
 * twice does no harm.
 */
final class Renew implements Verb<Map<Claim, Renewal>> {

    private final List<Claim> claims;

    Renew(Collection<Claim> claims) {
        this.claims = List.copyOf(claims);
    }

    @Override
    public Map<Claim, Renewal> run(Documents documents, Wanted wanted) {
        Map<Claim, Renewal> result = new HashMap<>();
        List<Claim> asked = claims;
        while (!asked.isEmpty()) {
            wanted.check();
            Set<LockId> ids = new HashSet<>();
            asked.forEach(claim -> ids.add(claim.id()));
            Map<LockId, Optional<Name>> names = documents.stamp(ids);
            Map<LockId, Name> changed = new HashMap<>();
            List<Claim> held = new ArrayList<>();
            for (Claim claim : asked) {
                Optional<Name> found = names.get(claim.id());
                if (found == null) {
                    result.put(claim, Renewal.DELETED);
                } else if (found.isEmpty()) {
                    // Nothing is known of it, and the others do not suffer.
                    result.remove(claim);
                } else if (renewed(found.get(), claim, result) == Renewal.HELD) {
                    changed.put(claim.id(), found.get());
                    held.add(claim);
                }
            }
            wanted.check();
            asked = changed.isEmpty() || documents.swapAll(changed.values()) ? List.of() : held;
        }
        return result;
    }

    private static Renewal renewed(Name name, Claim claim, Map<Claim, Renewal> result) {
        Renewal renewal = name.renew(claim);
        result.put(claim, renewal);
        return renewal;
    }
}
