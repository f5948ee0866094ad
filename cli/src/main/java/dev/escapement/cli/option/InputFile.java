package dev.escapement.cli.option;

import dev.escapement.cli.CommandContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a text file, or standard input if the name is {@code -}. */
public final class InputFile {

    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final String STANDARD_INPUT = "-";

    private InputFile() {}

    /** Returns the name for messages. */
    public static String displayName(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    /** Opens a text file of any size for reading line by line; fails with a usage error if it cannot be opened. */
    public static BufferedReader open(String file, CommandContext context) {
        try {
            InputStream in = file.equals(STANDARD_INPUT) ? context.stdin() : Files.newInputStream(Path.of(file));
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s cannot be read: %s".formatted(file, ConnectionOptions.describeFailure(unreadable)));
        }
    }

    /** Reads a file; fails with a usage error if it is missing, too large, or not UTF-8 text. */
    public static String read(String file, CommandContext context) {
        try (InputStream in = file.equals(STANDARD_INPUT) ? context.stdin() : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException("%s is larger than %d MiB".formatted(file, MAX_BYTES >> 20));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw new IllegalArgumentException(file + " is not text in UTF-8");
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s cannot be read: %s".formatted(file, ConnectionOptions.describeFailure(unreadable)));
        }
    }
}
