package dev.escapement.server.http;

import dev.escapement.governor.SafeText;
import dev.escapement.server.text.DocumentException;
import dev.escapement.server.text.Documents;
import dev.escapement.server.text.Documents.Format;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** Reads the body of a request: not more than is allowed, in UTF-8, as one JSON or YAML object. */
final class Bodies {

    private static final Set<String> YAML =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "application/vnd.yaml");

    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long MOST_DISCARDED = 64L << 20;

    private final int largest;
    private final String rule;
    private final LongSupplier nanos;

    /**
     * Not more than that much, in not more than {@link #PATIENCE}.
     *
     * @param largest in bytes
     * @param nanos a steady clock such as {@link System#nanoTime}
     */
    Bodies(int largest, LongSupplier nanos) {
        this(largest, "setting max-request-size", nanos);
    }

    private Bodies(int largest, String rule, LongSupplier nanos) {
        this.largest = largest;
        this.rule = rule;
        this.nanos = nanos;
    }

    /**
     * The same with another bound.
     *
     * @param rule who says so
     */
    Bodies upTo(int bytes, String rule) {
        return new Bodies(bytes, rule, nanos);
    }

    /** The object in the body. */
    Map<String, Object> document(Context context) throws IOException {
        Format format = format(context);
        return parse(text(context), format, Documents::read);
    }

    /** The object in the body, in which an empty {@link Optional} stands for null. */
    Map<String, Object> change(Context context) throws IOException {
        Format format = format(context);
        return parse(text(context), format, Documents::readChange);
    }

    /** All objects in the body. */
    List<Map<String, Object>> documents(Context context) throws IOException {
        Format format = format(context);
        return parse(text(context), format, Documents::readAll);
    }

    /** The object in the body; an empty one if there is no body. */
    Map<String, Object> optionalDocument(Context context) throws IOException {
        String text = text(context);
        return text.isBlank() ? Map.of() : parse(text, format(context), Documents::read);
    }

    private static <T> T parse(String text, Format format, BiFunction<String, Format, T> reader) {
        try {
            return reader.apply(text, format);
        } catch (DocumentException malformed) {
            throw Problem.badRequest("the body is not readable as " + format + ": " + malformed.getMessage());
        }
    }

    private static Format format(Context context) {
        String type = Optional.ofNullable(context.contentType())
                .map(given -> given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .orElse("");
        if (YAML.contains(type)) {
            return Format.YAML;
        } else if (type.equals("application/json") || type.equals("application/merge-patch+json")) {
            return Format.JSON;
        }
        // A form or plain text is what a foreign web page can send without asking: it is never taken for a document.
        throw Problem.unsupportedType("content type \"%s\": send application/json or application/yaml".formatted(type));
    }

    private String text(Context context) throws IOException {
        long announced = context.req().getContentLengthLong();
        if (announced > largest) {
            discard(context.req().getInputStream());
            throw tooLarge(announced + " bytes");
        }
        try (InputStream in = context.req().getInputStream()) {
            byte[] read = read(in);
            if (read.length > largest) {
                throw tooLarge("more than that");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(read))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw Problem.badRequest("the body is not UTF-8");
        }
    }

    /** A body that drips would keep a thread for as long as it likes. */
    private byte[] read(InputStream in) throws IOException {
        long start = nanos.getAsLong();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[8 << 10];
        int more = in.read(buffer);
        while (more >= 0 && read.size() <= largest) {
            read.write(buffer, 0, more);
            if (nanos.getAsLong() - start > PATIENCE.toNanos()) {
                throw Problem.of(408, "the body took longer than " + PATIENCE.toSeconds() + " s to arrive");
            }
            more = in.read(buffer);
        }
        return read.toByteArray();
    }

    /** Who is still sending when the connection is closed may never see the answer. Nobody is listened to for ever. */
    private void discard(InputStream in) throws IOException {
        long start = nanos.getAsLong();
        byte[] buffer = new byte[64 << 10];
        long discarded = 0;
        int more = in.read(buffer);
        while (more >= 0 && discarded < MOST_DISCARDED && nanos.getAsLong() - start <= PATIENCE.toNanos()) {
            discarded += more;
            more = in.read(buffer);
        }
    }

    private Problem tooLarge(String size) {
        return Problem.tooLarge("the body has %s; the most is %d bytes (%s)".formatted(size, largest, rule));
    }

    /** A text of the body; empty if it is not given. */
    static Optional<String> text(Map<String, Object> body, String key) {
        Object value = body.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof String text)) {
            throw Problem.badRequest(key + " must be a text");
        }
        return Optional.of(text.strip()).filter(given -> !given.isEmpty());
    }

    static void refuseStrangers(Map<String, Object> body, Set<String> known) {
        for (String key : body.keySet()) {
            if (!known.contains(key)) {
                throw Problem.badRequest("%s is no field of this request (there are: %s)"
                        .formatted(SafeText.quote(key, 100), String.join(", ", new TreeSet<>(known))));
            }
        }
    }
}
