package dev.interlock.redis;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;

/** A wake as its message says it: {@code <letter of the kind><number of the claim>:<name>}. The client of the claim is that of the inbox. */
final class WakeText {

    private WakeText() {}

    /** @throws IllegalArgumentException if it is none: anybody may publish anything */
    static Wake parse(String clientId, String message) {
        int colon = message.indexOf(':');
        LockKind kind = colon < 1 ? null : KindLetter.kind(message.charAt(0));
        if (kind == null) {
            throw new IllegalArgumentException("A wake begins with the letter of a kind and a number: " + message);
        }
        String number = message.substring(1, colon);
        OwnerId owner = new OwnerId(number.isEmpty() ? clientId : clientId + ':' + number);
        return new Wake(new LockId(message.substring(colon + 1), kind), owner);
    }
}
