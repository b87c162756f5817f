package dev.interlock.evidence;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the command is to do.
 *
 * @param subjects the libraries
 * @param faults the faults
 * @param time how long each fault goes on striking each library
 * @param strikes the most strikes
 * @param atOnce how many trials run side by side
 * @param out where the page is written; null if it is only printed
 * @param cases what is shown instead; empty if trials are run
 */
record Options(
        List<Subject> subjects,
        List<Fault> faults,
        Duration time,
        int strikes,
        int atOnce,
        @Nullable Path out,
        List<Case> cases) {

    private static final String KNOWN = "--minutes, --seconds, --fault, --subject, --strikes, --at-once, --out, --case";

    static final String HELP =
            """
            usage: lab/evidence/run [--minutes N | --seconds N] [--fault F,...] [--subject S,...] [--strikes N]
                                    [--at-once N] [--out FILE]
                   lab/evidence/run --case C

            minutes, seconds  how long each fault strikes each library; 6 minutes by default
            fault             %s;
                              all by default
            subject           %s;
                              or all of a library: interlock, redisson, spring, shedlock, curator, jetcd, control;
                              all by default
            strikes           stops after so many strikes, if the time is not over before
            at-once           how many libraries are struck side by side; 1 by default
            out               where the page is written; it is printed in any case
            case              a defect of a library as a program, and the same program with Interlock:
                              %s, or all

            The exit code is 0 if every fault has struck and the controls were convicted, 1 if not, 64 for wrong
            arguments. What it finds about a library changes nothing about that. With --case it is 0 if the library
            shows the defect and Interlock does not.
            """
                    .formatted(Fault.ids(), Subject.ids(), Case.ids());

    /** @throws IllegalArgumentException if an option or a value is unknown; the message says which are known */
    static Options parse(List<String> arguments) {
        List<Subject> subjects = List.of(Subject.values());
        List<Fault> faults = List.of(Fault.values());
        Duration time = Duration.ofMinutes(6);
        int strikes = Integer.MAX_VALUE;
        int atOnce = 1;
        Path out = null;
        List<Case> cases = List.of();
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("Unknown option, or one without a value: " + option);
            }
            String value = arguments.get(i + 1);
            switch (option) {
                case "--minutes" -> time = Duration.ofMinutes(positive(option, value));
                case "--seconds" -> time = Duration.ofSeconds(positive(option, value));
                case "--fault" -> faults = split(value).stream().map(Fault::of).toList();
                case "--subject" -> subjects = subjects(value);
                case "--strikes" -> strikes = positive(option, value);
                case "--at-once" -> atOnce = positive(option, value);
                case "--case" -> cases = value.equals("all") ? List.of(Case.values()) : List.of(Case.of(value));
                case "--out" -> out = Path.of(value);
                default -> throw new IllegalArgumentException("Unknown option: " + option + "; known are " + KNOWN);
            }
        }
        return new Options(subjects, faults, time, strikes, atOnce, out, cases).checked();
    }

    /** The subjects that this fault can strike. */
    List<Subject> struckBy(Fault fault) {
        return subjects.stream().filter(fault::strikes).toList();
    }

    private Options checked() {
        if (faults.stream().allMatch(fault -> struckBy(fault).isEmpty())) {
            throw new IllegalArgumentException("None of these faults strikes the store of these subjects: --fault "
                    + String.join(",", faults.stream().map(Fault::id).toList()) + " --subject "
                    + String.join(",", subjects.stream().map(Subject::id).toList()));
        }
        return this;
    }

    private static List<Subject> subjects(String value) {
        List<Subject> subjects = new ArrayList<>();
        for (String name : split(value)) {
            List<Subject> ofLibrary = Arrays.stream(Subject.values())
                    .filter(subject -> firstWord(subject.library()).equals(name))
                    .toList();
            subjects.addAll(ofLibrary.size() > 1 ? ofLibrary : List.of(Subject.of(name)));
        }
        return subjects.stream().distinct().toList();
    }

    private static String firstWord(String library) {
        return library.toLowerCase(Locale.ROOT).split("\\W", 2)[0];
    }

    private static List<String> split(String value) {
        return List.of(value.toLowerCase(Locale.ROOT).split(",", -1));
    }

    private static int positive(String option, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says it, too.
        }
        throw new IllegalArgumentException(option + " must be a whole number of 1 or more: " + value);
    }
}
