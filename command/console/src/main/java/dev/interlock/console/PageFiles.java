package dev.interlock.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the class path. */
final class PageFiles {

    /** No path leads out of the folder. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*\\.(html|css|js|svg|png|json)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "json", "application/json; charset=utf-8");

    private PageFiles() {}

    /** The content of the file of this name; null if there is none. */
    static byte @Nullable [] read(String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            return null;
        }
        try (InputStream in = PageFiles.class.getResourceAsStream("page/" + name)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /** The media type of a file that there is. */
    static String type(String name) {
        return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
    }
}
