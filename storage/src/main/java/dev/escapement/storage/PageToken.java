package dev.escapement.storage;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Where a list goes on: opaque, and safe in a URL. */
public final class PageToken {

    private static final String SEPARATOR = "\n";

    private PageToken() {}

    /** Names the last item of a part; none of these has a line break. */
    public static String encode(String... parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The parts back.
     *
     * @throws IllegalArgumentException if it is none, or has another number of parts
     */
    public static List<String> decode(String token, int count) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            List<String> parts = List.of(text.split(SEPARATOR, -1));
            if (parts.size() == count && encode(parts.toArray(String[]::new)).equals(token)) {
                return parts;
            }
        } catch (IllegalArgumentException refused) {
            throw invalid(refused);
        }
        throw invalid(new IllegalArgumentException("it has another form"));
    }

    /** The message for people. */
    public static IllegalArgumentException invalid(Exception cause) {
        return new IllegalArgumentException(
                "this is no continuation token: give the one that came with the last part, or none", cause);
    }
}
