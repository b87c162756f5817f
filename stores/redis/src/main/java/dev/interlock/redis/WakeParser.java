package dev.interlock.redis;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;

/**
 * Parses the message of a wake: {@code <letter of the kind><number of the claim>:<name>}. One that holds a lock that
 * another wants gets {@code <letter><number> wanted:<name>}. Further words behind the number are passed over: clients
 * of an earlier version send {@code <letter><number> <fence> <ticket> <lease in ms>:<name>} to a claim that has been
 * granted, which asks all the same, as anybody may have sent that. The client of the claim is that of the inbox.
 */
final class WakeParser {

    private WakeParser() {}

    /**
     * Parses a message that was received in the inbox of a client.
     *
     * @throws IllegalArgumentException if it is not a wake: any client may publish anything
     */
    static Wake parse(String clientId, String message) {
        int colon = message.indexOf(':');
        LockKind kind = colon < 1 ? null : KindLetter.kind(message.charAt(0));
        if (kind == null) {
            throw new IllegalArgumentException("A wake begins with the letter of a kind and a number: " + message);
        }
        String[] words = message.substring(1, colon).split(" ", -1);
        OwnerId owner = new OwnerId(words[0].isEmpty() ? clientId : clientId + ':' + words[0]);
        LockId id = new LockId(message.substring(colon + 1), kind);
        if (words.length == 2 && words[1].equals("wanted")) {
            return new Wake.Wanted(id, owner);
        }
        return new Wake.Changed(id, owner);
    }
}
