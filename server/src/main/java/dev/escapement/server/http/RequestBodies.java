package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.DocumentParser.Format;
import dev.escapement.server.http.access.AccessFilter;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Parses request bodies: UTF-8, JSON or YAML, limited in size.
 *
 * @param limitOrigin names the limit in the error message
 */
public record RequestBodies(int maxBytes, String limitOrigin) {

    private static final Set<String> YAML_TYPES =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "application/vnd.yaml");

    private static final Pattern UTF_8_CHARSET = Pattern.compile("charset\\s*=\\s*\"?utf-?8\"?\\s*(;|$)");

    /** Path of the only route with a larger limit. */
    public static final String IMPORT_PATH = "/api/v1/endpoints/import";

    private static final RequestBodies IMPORT = new RequestBodies(16 << 20, "limit of an import");

    /** Of a login, which needs no token. */
    private static final int MAX_LOGIN_BYTES = 4 << 10;

    /** Returns the maximum size of a body that is sent to a path. */
    int limitOfPath(String path) {
        return switch (path) {
            case IMPORT_PATH -> IMPORT.maxBytes;
            case AccessFilter.SESSION_PATH -> Math.min(MAX_LOGIN_BYTES, maxBytes);
            default -> maxBytes;
        };
    }

    /** Returns the limits of an import. */
    public static RequestBodies ofImport() {
        return IMPORT;
    }

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
        // Not contentType(): it throws for an unknown charset.
        String[] parts = Optional.ofNullable(context.header("Content-Type"))
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .split(";", 2);
        String type = parts[0].strip();
        if (parts.length > 1
                && parts[1].contains("charset")
                && !UTF_8_CHARSET.matcher(parts[1]).find()) {
            throw new HttpProblem(415, "UnsupportedMediaType", "the charset is not supported: send UTF-8");
        }
        if (YAML_TYPES.contains(type)) {
            return Format.YAML;
        } else if (type.equals("application/json") || type.equals("application/merge-patch+json")) {
            return Format.JSON;
        }
        // Forms and plain text are rejected, because a page of another site may send them without a preflight request.
        String message = "content type \"%s\" is not supported: send application/json or application/yaml";
        throw new HttpProblem(415, "UnsupportedMediaType", message.formatted(type));
    }

    /** The body is in memory already, at most one byte more than the limit of its path. */
    private String readText(Context context) throws IOException {
        long announced = context.req().getContentLengthLong();
        byte[] body = context.req().getInputStream().readAllBytes();
        if (announced > maxBytes || body.length > maxBytes) {
            throw tooLarge(announced > maxBytes ? announced + " bytes" : "more than " + maxBytes + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw HttpProblem.badRequest("the body is not UTF-8");
        }
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
