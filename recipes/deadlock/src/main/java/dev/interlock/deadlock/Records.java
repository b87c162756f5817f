package dev.interlock.deadlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The long waits of a client, in the store: how the clients tell each other who waits, and what it holds.
 *
 * <p>A client has one read/write lock for them, whose name ends with the client's id. A wait is some shares of that
 * lock, and its text is the participant of the shares, in pieces: {@code <number>/<index>/<count>/<piece>}. So every
 * store keeps the records where it keeps claims, they end with their client, and one inspection reads them all. The
 * token of the first piece is the {@linkplain Wait#order() order} of the wait: a store's fences of names that are new
 * grow with its time.
 *
 * <p>The whole text is {@code <from>/<by>/<kind>/<mode>/<thread>/<name>}, and then for each lock that is held
 * {@code /<kind>/<mode>/<fence>/<name>}, with URL-encoded words. Other clients may write anything: what is no record is
 * left out.
 */
final class Records {

    /** What the names of these locks begin with. */
    static final String PREFIX = "interlock:waits:";

    /** A record ends so long after its process. */
    static final Duration LIFE = Duration.ofSeconds(10);

    /** How long a piece may take to be written. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int LONGEST_PIECE = 100;
    private static final int MOST_PIECES = 64;
    private static final int LONGEST_THREAD = 64;
    private static final int WORDS_OF_WAIT = 6;
    private static final int WORDS_OF_HOLD = 4;

    private final Interlock client;
    private final String clientId;

    /**
     * The waits of one client.
     *
     * @param waits those whose records are whole
     * @param party its process; unknown if there is no record
     */
    record Known(List<Wait> waits, Party party) {}

    Records(Interlock client, String clientId) {
        this.client = client;
        this.clientId = clientId;
    }

    static String nameOf(String clientId) {
        return PREFIX + clientId;
    }

    // ---- writing

    /** Writes the record of this wait; returns its pieces, the first one first, or none if that was not possible. */
    List<Lease> write(Wait wait) throws InterruptedException {
        List<String> pieces = pieces(wait);
        List<Lease> written = new ArrayList<>();
        try {
            for (int i = 0; i < pieces.size(); i++) {
                String text = wait.number() + "/" + i + "/" + pieces.size() + "/" + pieces.get(i);
                LockOptions options = LockOptions.builder()
                        .participant(text)
                        .lease(LeaseTerm.renewing(LIFE))
                        .build();
                Optional<Lease> piece = client.readWriteLock(nameOf(clientId), options)
                        .readLock()
                        .tryAcquire(PATIENCE);
                piece.ifPresent(written::add);
            }
        } finally {
            if (written.size() < pieces.size()) {
                erase(written);
            }
        }
        return written.size() == pieces.size() ? written : List.of();
    }

    /** Sends that the record is over, and waits for nothing. */
    static void erase(List<Lease> pieces) {
        for (Lease piece : pieces) {
            var unused = piece.releaseAsync();
        }
    }

    /** The text of a wait; what it holds is left out from where it would become too long, and then is not found. */
    static List<String> pieces(Wait wait) {
        StringBuilder text = new StringBuilder(String.join(
                "/",
                Long.toString(wait.from()),
                Long.toString(wait.by()),
                wait.id().kind().name(),
                mode(wait.mode()),
                encode(shortened(wait.thread())),
                encode(wait.id().name())));
        for (Hold hold : wait.held()) {
            String more = String.join(
                    "/",
                    "",
                    hold.id().kind().name(),
                    hold.shared() ? "s" : "x",
                    Long.toString(hold.fence()),
                    encode(hold.id().name()));
            if (text.length() + more.length() <= LONGEST_PIECE * MOST_PIECES) {
                text.append(more);
            }
        }
        List<String> pieces = new ArrayList<>();
        for (int at = 0; at < text.length(); at += LONGEST_PIECE) {
            pieces.add(text.substring(at, Math.min(text.length(), at + LONGEST_PIECE)));
        }
        return pieces;
    }

    private static String mode(Mode mode) {
        if (mode instanceof Mode.Permits permits) {
            return permits.count() + "-" + permits.capacity();
        }
        return mode instanceof Mode.Shared ? "s" : "x";
    }

    private static String shortened(String thread) {
        return thread.codePointCount(0, thread.length()) <= LONGEST_THREAD
                ? thread
                : thread.substring(0, thread.offsetByCodePoints(0, LONGEST_THREAD));
    }

    private static String encode(String word) {
        return URLEncoder.encode(word, UTF_8);
    }

    // ---- reading

    /** The waits of a client, as it has written them. */
    Known read(String of) {
        return parse(of, client.readWriteLock(nameOf(of)).inspect());
    }

    static Known parse(String client, LockStatus status) {
        Map<Long, TreeMap<Integer, String>> texts = new HashMap<>();
        Map<Long, Long> orders = new HashMap<>();
        Map<Long, Integer> counts = new HashMap<>();
        Party party = Party.UNKNOWN;
        for (LockStatus.Holder holder : status.holders()) {
            String[] words = holder.party().thread().split("/", 4);
            if (words.length < 4 || !WaitGraph.clientOf(holder.owner()).equals(client)) {
                continue;
            }
            try {
                long number = Long.parseLong(words[0]);
                int index = Integer.parseInt(words[1]);
                counts.put(number, Integer.parseInt(words[2]));
                texts.computeIfAbsent(number, key -> new TreeMap<>()).put(index, words[3]);
                if (index == 0) {
                    orders.put(number, holder.token());
                }
                party = holder.party();
            } catch (NumberFormatException e) {
                // Not a piece of a record.
            }
        }
        List<Wait> waits = new ArrayList<>();
        texts.forEach((number, pieces) -> {
            Long order = orders.get(number);
            if (order != null && pieces.size() == counts.getOrDefault(number, 0)) {
                Wait wait = parse(client, number, order, String.join("", pieces.values()));
                if (wait != null) {
                    waits.add(wait);
                }
            }
        });
        return new Known(waits, party);
    }

    private static @Nullable Wait parse(String client, long number, long order, String text) {
        String[] words = text.split("/", -1);
        if (words.length < WORDS_OF_WAIT || (words.length - WORDS_OF_WAIT) % WORDS_OF_HOLD != 0) {
            return null;
        }
        try {
            LockId id = new LockId(decode(words[5]), LockKind.valueOf(words[2]));
            List<Hold> held = new ArrayList<>();
            for (int at = WORDS_OF_WAIT; at < words.length; at += WORDS_OF_HOLD) {
                held.add(new Hold(
                        new LockId(decode(words[at + 3]), LockKind.valueOf(words[at])),
                        Long.parseLong(words[at + 2]),
                        words[at + 1].equals("s")));
            }
            return new Wait(
                    client,
                    number,
                    id,
                    parseMode(id, words[3]),
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    order,
                    decode(words[4]),
                    List.copyOf(held));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Mode parseMode(LockId id, String word) {
        if (id.kind() == LockKind.SEMAPHORE) {
            String[] numbers = word.split("-", 2);
            int count = Integer.parseInt(numbers[0]);
            int capacity = Integer.parseInt(numbers[numbers.length - 1]);
            if (count < 1 || capacity < 1) {
                throw new NumberFormatException("no permits");
            }
            return new Mode.Permits(count, capacity);
        }
        return word.equals("s") ? Mode.shared() : Mode.exclusive();
    }

    private static String decode(String word) {
        return URLDecoder.decode(word, UTF_8);
    }
}
