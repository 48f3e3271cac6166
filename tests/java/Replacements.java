import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Prints the text that Java makes of bytes of UTF-8: the code points of
 * {@code new String(bytes, UTF_8)}, which writes U+FFFD for ill-formed sequences.
 *
 * <pre>
 * java tests/java/Replacements.java > tests/java/replacements.txt   # the table
 * java tests/java/Replacements.java -        # the table, and then each line of hexadecimal bytes
 * </pre>
 *
 * tests/all/replacements.rs compares both with the library's policy.
 */
public final class Replacements {
    /** Bytes about the limits of each class of lead bytes. */
    private static final int[] FIRST = {
        0x80, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8,
    };
    /** Bytes about the limits of second bytes, and others. */
    private static final int[] SECOND = {0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xED};
    /** Bytes after these. */
    private static final int[] LATER = {0x41, 0x80, 0xBF, 0xED};

    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private Replacements() {}

    /** Prints the table, and with an argument also the text of each line. */
    public static void main(String[] arguments) throws IOException {
        System.err.println("Java " + System.getProperty("java.version"));
        printTable();
        if (arguments.length > 0) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                print(HexFormat.of().parseHex(line));
            }
        }
        OUT.flush();
    }

    /** Prints all texts of one to four of these bytes. */
    private static void printTable() {
        for (int first : FIRST) {
            print((byte) first);
            for (int second : SECOND) {
                print((byte) first, (byte) second);
                for (int third : LATER) {
                    print((byte) first, (byte) second, (byte) third);
                    for (int fourth : LATER) {
                        print((byte) first, (byte) second, (byte) third, (byte) fourth);
                    }
                }
            }
        }
    }

    /** Prints some bytes and the code points of their text. */
    private static void print(byte... bytes) {
        StringBuilder line = new StringBuilder(HexFormat.of().withUpperCase().formatHex(bytes));
        String text = new String(bytes, StandardCharsets.UTF_8);
        text.codePoints().forEach(point -> line.append(String.format(" %X", point)));
        OUT.append(line).append('\n');
    }
}
