package dev.interlock.testkit.process;

import org.jspecify.annotations.Nullable;

/** Answers each line with the same; {@code exit n} ends it. */
final class EchoMain {

    private EchoMain() {}

    public static void main(String[] arguments) {
        ChildMain parent = new ChildMain();
        parent.say("ready " + String.join(",", arguments));
        @Nullable String line = parent.hear();
        while (line != null) {
            if (line.startsWith("exit ")) {
                System.exit(Integer.parseInt(line.substring(5)));
            }
            parent.say("noise");
            parent.say("echo " + line);
            line = parent.hear();
        }
        System.exit(42);
    }
}
