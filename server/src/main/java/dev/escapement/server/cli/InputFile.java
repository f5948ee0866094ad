package dev.escapement.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that somebody named, or standard input: text, and not without end. */
final class InputFile {

    private static final int LARGEST = 16 * 1024 * 1024;
    private static final String STANDARD_INPUT = "-";

    private InputFile() {}

    /** As people know it. */
    static String name(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    /**
     * What it says.
     *
     * @throws IllegalArgumentException if it is not there, too large, or no text
     */
    static String read(String file, Surroundings surroundings) {
        try (InputStream in = file.equals(STANDARD_INPUT) ? surroundings.in() : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IllegalArgumentException("%s is larger than %d MiB".formatted(file, LARGEST >> 20));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw new IllegalArgumentException(file + " is not text in UTF-8");
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(file, Connection.why(unreadable)));
        }
    }
}
