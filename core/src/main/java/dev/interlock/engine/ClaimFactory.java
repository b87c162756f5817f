package dev.interlock.engine;

import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the claims of a client, each with an owner of its own. Thread-safe. */
final class ClaimFactory {

    /** A ticket has 48 bits, which a script can count with. */
    private static final int TICKET_SHIFT = 16;

    private final String clientId = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();
    private final SecureRandom tickets = new SecureRandom();
    private final LocalParty party;

    ClaimFactory(String application) {
        this.party = new LocalParty(application);
    }

    /** Looks up who this process is: the first time may take long, and must not fall into a request. */
    void prepare() {
        var unused = party.party();
    }

    Claim newClaim(Request request, String threadName) {
        OwnerId owner = OwnerId.of(clientId, sequence.incrementAndGet());
        return Claim.of(
                request.id(),
                request.mode(),
                owner,
                request.term().length(),
                party.party().withThread(threadName));
    }

    /** Tells one request of a claim from every other. A message that names it can only be from the store. */
    long newTicket() {
        return 1 + (tickets.nextLong() >>> TICKET_SHIFT);
    }
}
