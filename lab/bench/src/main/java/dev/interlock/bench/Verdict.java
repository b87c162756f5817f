package dev.interlock.bench;

import java.util.Locale;

/**
 * A target, and whether it was reached.
 *
 * @param row the row of the table
 * @param target the target
 * @param measured the measured figure
 * @param reached whether it was reached
 */
record Verdict(String row, String target, String measured, boolean reached) {

    /** Something of ours as a multiple of something of a peer's, at least so large. */
    static Verdict ratio(String row, String what, double ours, double theirs, double least, String peer) {
        double ratio = ours / theirs;
        return new Verdict(
                row,
                what + " ≥ " + number(least) + " × " + peer,
                number(ratio) + " × (" + number(ours) + " / " + number(theirs) + ")",
                ratio >= least);
    }

    /** A figure that must not exceed another. */
    static Verdict atMost(String row, String what, double measured, double most, String unit) {
        return new Verdict(row, what + " ≤ " + number(most) + unit, number(measured) + unit, measured <= most);
    }

    /** A figure that must not be below another. */
    static Verdict atLeast(String row, String what, double measured, double least, String unit) {
        return new Verdict(row, what + " ≥ " + number(least) + unit, number(measured) + unit, measured >= least);
    }

    /** Three significant digits, or all digits of a large whole number. */
    static String number(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "-";
        }
        if (size >= 100 || size == Math.rint(size)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
    }
}
