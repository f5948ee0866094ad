package dev.escapement.server.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Server-sent events, one by one, as the standard has them: fields up to an empty line; lines that start with a colon
 * are sounds of life.
 */
final class EventReader {

    private static final int LONGEST_LINE = 1024 * 1024;
    private static final int END = -1;

    private final InputStream in;
    private boolean afterReturn;

    EventReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** The next event; empty when the stream has ended. Half an event at the end is none. */
    Optional<ServerEvent> next() throws IOException {
        String id = "";
        String type = "message";
        StringBuilder data = new StringBuilder();
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            String text = line.get();
            if (text.isEmpty() && data.length() > 0) {
                return Optional.of(event(id, type, data.toString()));
            }
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + 1).replaceFirst("^ ", "");
            switch (field) {
                case "id" -> id = value;
                case "event" -> type = value;
                case "data" -> data.append(data.length() == 0 ? "" : "\n").append(value);
                default -> {
                    // A comment, or a field that this version does not know.
                }
            }
            if (data.length() > LONGEST_LINE) {
                throw new IOException("an event longer than " + LONGEST_LINE + " characters");
            }
        }
        return Optional.empty();
    }

    private static ServerEvent event(String id, String type, String data) throws IOException {
        try {
            return new ServerEvent(id, type, Json.read(data));
        } catch (JsonProcessingException noJson) {
            throw new IOException("an event that is no JSON", noJson);
        }
    }

    /** Lines end with a line feed, a carriage return, or both. */
    private Optional<String> line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != END; next = in.read()) {
            boolean secondHalf = next == '\n' && afterReturn;
            afterReturn = next == '\r';
            if (secondHalf) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
            line.write(next);
            if (line.size() > LONGEST_LINE) {
                throw new IOException("a line longer than " + LONGEST_LINE + " bytes");
            }
        }
        return Optional.empty();
    }
}
