package dev.escapement.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.common.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Parses server-sent events: fields up to an empty line; lines that start with a colon are comments. */
final class SseReader {

    private static final int MAX_LINE_LENGTH = 1024 * 1024;
    private static final int END_OF_STREAM = -1;

    private final InputStream in;
    private boolean afterCarriageReturn;

    SseReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** Returns the next event, empty at the end of the stream. Ignores an incomplete last event. */
    Optional<ServerEvent> next() throws IOException {
        String id = "";
        String type = "message";
        StringBuilder data = new StringBuilder();
        for (Optional<String> line = readLine(); line.isPresent(); line = readLine()) {
            String text = line.get();
            if (text.isEmpty() && data.length() > 0) {
                return Optional.of(parseEvent(id, type, data.toString()));
            }
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + 1).replaceFirst("^ ", "");
            switch (field) {
                case "id" -> id = value;
                case "event" -> type = value;
                case "data" -> data.append(data.length() == 0 ? "" : "\n").append(value);
                default -> {
                    // A comment, or a field of a later version.
                }
            }
            if (data.length() > MAX_LINE_LENGTH) {
                throw new IOException("event longer than " + MAX_LINE_LENGTH + " characters");
            }
        }
        return Optional.empty();
    }

    private static ServerEvent parseEvent(String id, String type, String data) throws IOException {
        try {
            return new ServerEvent(id, type, Json.mapper().readTree(data));
        } catch (JsonProcessingException notJson) {
            throw new IOException("event is not JSON", notJson);
        }
    }

    /** Lines end with a line feed, a carriage return, or both. */
    private Optional<String> readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != END_OF_STREAM; next = in.read()) {
            boolean secondOfPair = next == '\n' && afterCarriageReturn;
            afterCarriageReturn = next == '\r';
            if (secondOfPair) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
            line.write(next);
            if (line.size() > MAX_LINE_LENGTH) {
                throw new IOException("line longer than " + MAX_LINE_LENGTH + " bytes");
            }
        }
        return Optional.empty();
    }
}
