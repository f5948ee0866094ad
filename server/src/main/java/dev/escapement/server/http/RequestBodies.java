package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.DocumentParser.Format;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Reads request bodies: UTF-8, JSON or YAML, limited in size and time.
 *
 * @param limitOrigin names the limit in the error message
 * @param ticker a monotonic clock such as {@link System#nanoTime}
 */
public record RequestBodies(int maxBytes, String limitOrigin, LongSupplier ticker) {

    private static final Set<String> YAML_TYPES =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "application/vnd.yaml");

    static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private static final long MAX_DISCARDED_BYTES = 64L << 20;

    /** Reads one object; returns an empty one if there is no body. */
    public Map<String, Object> readOptionalDocument(Context context) throws IOException {
        String text = readText(context);
        return text.isBlank() ? Map.of() : parse(text, detectFormat(context), DocumentParser::read);
    }

    /** Reads the body with a method of {@link DocumentParser}. */
    public <T> T read(Context context, BiFunction<String, Format, T> reader) throws IOException {
        Format format = detectFormat(context);
        return parse(readText(context), format, reader);
    }

    private static <T> T parse(String text, Format format, BiFunction<String, Format, T> reader) {
        try {
            return reader.apply(text, format);
        } catch (DocumentException malformed) {
            throw HttpProblem.badRequest("the body is not valid " + format + ": " + malformed.getMessage());
        }
    }

    private static Format detectFormat(Context context) {
        String type = Optional.ofNullable(context.contentType())
                .map(given -> given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .orElse("");
        if (YAML_TYPES.contains(type)) {
            return Format.YAML;
        } else if (type.equals("application/json") || type.equals("application/merge-patch+json")) {
            return Format.JSON;
        }
        // Forms and plain text are rejected, because a page of another site may send them without a preflight request.
        String message = "content type \"%s\" is not supported: send application/json or application/yaml";
        throw new HttpProblem(415, "UnsupportedMediaType", message.formatted(type));
    }

    private String readText(Context context) throws IOException {
        long announced = context.req().getContentLengthLong();
        InputStream in = context.req().getInputStream();
        if (announced > maxBytes) {
            // A client that is still sending when the connection closes may miss the response.
            copy(in, OutputStream.nullOutputStream(), MAX_DISCARDED_BYTES);
            throw tooLarge(announced + " bytes");
        }
        try (in) {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            if (!copy(in, read, maxBytes)) {
                throw HttpProblem.of(408, "the body took longer than " + READ_TIMEOUT.toSeconds() + " s to arrive");
            }
            if (read.size() > maxBytes) {
                throw tooLarge("more than " + maxBytes + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(read.toByteArray()))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw HttpProblem.badRequest("the body is not UTF-8");
        }
    }

    /**
     * Copies the body up to its end or just beyond the limit. Returns false if that took longer than
     * {@link #READ_TIMEOUT}: a slow sender would occupy a thread.
     */
    private boolean copy(InputStream in, OutputStream out, long limit) throws IOException {
        long start = ticker.getAsLong();
        byte[] buffer = new byte[8 << 10];
        long copied = 0;
        int more = in.read(buffer);
        while (more >= 0 && copied <= limit) {
            out.write(buffer, 0, more);
            copied += more;
            if (ticker.getAsLong() - start > READ_TIMEOUT.toNanos()) {
                return false;
            }
            more = in.read(buffer);
        }
        return true;
    }

    private HttpProblem tooLarge(String size) {
        return HttpProblem.of(
                413, "the body has %s: the maximum is %d bytes (%s)".formatted(size, maxBytes, limitOrigin));
    }

    /** Returns a text field; empty if it is missing or blank. */
    public static Optional<String> readText(Map<String, Object> body, String key) {
        rejectUnlessText(body, key);
        return Optional.ofNullable(body.get(key))
                .map(text -> text.toString().strip())
                .filter(text -> !text.isEmpty());
    }

    static void rejectUnlessText(Map<String, Object> body, String key) {
        if (!(body.getOrDefault(key, "") instanceof String)) {
            throw HttpProblem.badRequest(key + " must be a string");
        }
    }

    public static void rejectUnknown(Map<String, Object> body, Set<String> known) {
        for (String key : body.keySet()) {
            if (!known.contains(key)) {
                throw HttpProblem.badRequest("%s is not a field of this request (fields: %s)"
                        .formatted(SafeText.quote(key, 100), String.join(", ", new TreeSet<>(known))));
            }
        }
    }
}
