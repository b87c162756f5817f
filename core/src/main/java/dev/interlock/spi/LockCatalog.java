package dev.interlock.spi;

import dev.interlock.LockStatus;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What a {@link LockStore} may offer besides, for people who look around: which names are held. No part of locking; the
 * engine does not need it.
 */
public interface LockCatalog {

    /**
     * The locks that are held now, and the latches that are not at zero, whose name starts with {@code prefix}.
     *
     * @param prefix how the names begin; empty for all
     * @param limit the most names to return, 1 or more
     * @return in the order of the names
     */
    CompletionStage<List<LockStatus>> list(String prefix, int limit);
}
