package dev.escapement.process.run;

import dev.escapement.engine.port.RunLogs.Chunk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file with the output of a run's tasks. */
public record OutputLog(Path file) {

    private static final int TAIL_BYTES = 4096;
    private static final int MAX_MESSAGE_LENGTH = 800;
    private static final String TASK_HEADER = "--- task ";

    /** Reads whole lines, unless a line is longer than the limit or the run has ended. */
    public Chunk read(long from, int limit, boolean ended) throws IOException {
        byte[] bytes = readBytes(from, limit);
        boolean last = ended && bytes.length < limit;
        int length = last ? bytes.length : wholeLinesLength(bytes, limit);
        long next = Math.max(0, from) + length;
        // A full chunk may be the last too; then the next one is empty and marked as the last.
        return new Chunk(new String(bytes, 0, length, StandardCharsets.UTF_8), next, last);
    }

    private byte[] readBytes(long from, int limit) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            stream.skipNBytes(Math.max(0, from));
            return stream.readNBytes(Math.max(1, limit));
        } catch (NoSuchFileException | EOFException nothingYet) {
            return new byte[0];
        }
    }

    private static int wholeLinesLength(byte[] bytes, int limit) {
        for (int end = bytes.length; end > 0; end--) {
            if (bytes[end - 1] == '\n') {
                return end;
            }
        }
        return bytes.length < limit ? 0 : wholeCharactersLength(bytes);
    }

    /** Returns the length without an incomplete UTF-8 character at the end. */
    private static int wholeCharactersLength(byte[] bytes) {
        int start = bytes.length - 1;
        while (start > 0 && bytes.length - start < 4 && (bytes[start] & 0xC0) == 0x80) {
            start--;
        }
        int lead = bytes[start] & 0xFF;
        int size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        return start > 0 && start + size > bytes.length ? start : bytes.length;
    }

    /** Returns the last lines that the last task printed; empty if it printed nothing. */
    String readTail() throws IOException {
        long size = Files.exists(file) ? Files.size(file) : 0;
        String text = new String(readBytes(Math.max(0, size - TAIL_BYTES), TAIL_BYTES), StandardCharsets.UTF_8);
        int header = text.lastIndexOf("\n" + TASK_HEADER) + 1;
        boolean found = text.startsWith(TASK_HEADER, header);
        int begin = found ? text.indexOf('\n', header) + 1 : size > TAIL_BYTES ? text.indexOf('\n') + 1 : 0;
        String own = text.substring(found && begin == 0 ? text.length() : begin).strip();
        return own.length() <= MAX_MESSAGE_LENGTH ? own : "…" + own.substring(own.length() - MAX_MESSAGE_LENGTH + 1);
    }

    public void append(String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
