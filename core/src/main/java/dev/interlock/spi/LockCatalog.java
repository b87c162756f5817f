package dev.interlock.spi;

import dev.interlock.LockStatus;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The list of the names that are held, for people. A {@link LockStore} may offer it; locking does not need it. */
public interface LockCatalog {

    /**
     * The locks that are held now, and the latches that are not at zero, whose name starts with {@code prefix}.
     *
     * @param prefix the beginning of the names; empty for all
     * @param limit the most names to return, 1 or more
     * @return in the order of the names
     */
    CompletionStage<List<LockStatus>> list(String prefix, int limit);
}
