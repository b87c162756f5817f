package dev.interlock.mongodb;

import dev.interlock.spi.Claim;
import org.bson.Document;

/** The verb release: one command if the claim is alone, else the document and the time, the decision, and a swap. */
final class Release implements Verb<Boolean> {

    private final Claim claim;

    Release(Claim claim) {
        this.claim = claim;
    }

    /** Returns whether the claim was held. */
    @Override
    public Boolean run(Documents documents, Wanted wanted) {
        if (!claim.forced()) {
            Document freed = documents.free(claim);
            if (freed != null) {
                return wasHeld(freed);
            }
        }
        while (true) {
            Name name = documents.stamp(claim.id());
            if (name == null) {
                return false;
            }
            name.tellAnew();
            boolean held = name.release(claim);
            if (documents.swap(name)) {
                return held;
            }
        }
    }

    /** A lease that was over, and that nobody had come for, was not held any more. */
    private static boolean wasHeld(Document freed) {
        Entry holder = Entry.read(freed.getList("holders", Document.class).get(0), freed);
        return holder.until() > Fields.millis(freed, "seen");
    }
}
