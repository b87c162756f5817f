package dev.interlock.cli.screen;

/**
 * The size of a terminal.
 *
 * @param rows the number of lines
 * @param columns the number of characters in a line
 */
public record Size(int rows, int columns) {

    /** Where the terminal does not know. */
    static final Size USUAL = new Size(24, 80);

    /** Of the form {@code 24 80}, as {@code stty size} prints it. A pseudo-terminal may say that it has no lines. */
    static Size parse(String text) {
        String[] numbers = text.strip().split(" ", -1);
        try {
            Size size = new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[numbers.length - 1]));
            return size.rows > 0 && size.columns > 0 ? size : USUAL;
        } catch (NumberFormatException e) {
            return USUAL;
        }
    }
}
