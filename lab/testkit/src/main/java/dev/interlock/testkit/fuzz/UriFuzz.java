package dev.interlock.testkit.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** URIs of a store: each is accepted or refused by an {@link IllegalArgumentException} that tells no password. */
public final class UriFuzz {

    /** The password of the URIs to begin with. */
    public static final String SECRET = "s3cr3t";

    /**
     * The password is where the credentials or the hosts are, and nowhere else: nothing there may be quoted. What
     * follows a {@code ?} or a {@code ;} is an option, whatever it looks like.
     */
    private static final Pattern SECRET_IN_AUTHORITY =
            Pattern.compile("(?s)(?!.*" + SECRET + ".*" + SECRET + ")[^/?;]*//[^/?;@]*" + SECRET + ".*");

    private UriFuzz() {}

    /**
     * Tries URIs that are made from these.
     *
     * @param parser refuses by {@link IllegalArgumentException}
     */
    public static void run(String name, Consumer<String> parser, String... corpus) {
        Fuzz.of(name, corpus)
                .words("://", "@", ":", "/", "?", "&", "=", ",", "[::1]", "[", "]", SECRET, "%", "PT5M", "true", "#")
                .regressions("\u0130".repeat(20_000) + "://h", corpus[0] + "?a=" + "\u0130".repeat(20_000))
                .run(input -> accepts(parser, input));
    }

    private static boolean accepts(Consumer<String> parser, String input) {
        @Nullable
        IllegalArgumentException refusal = Fuzz.refusal(IllegalArgumentException.class, () -> parser.accept(input));
        if (refusal != null && SECRET_IN_AUTHORITY.matcher(input).matches()) {
            assertThat(Fuzz.tells(refusal, SECRET))
                    .as("whether a message tells the password")
                    .isFalse();
        }
        return refusal == null;
    }
}
