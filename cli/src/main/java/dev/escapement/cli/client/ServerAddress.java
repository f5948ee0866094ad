package dev.escapement.cli.client;

import dev.escapement.common.SafeText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Base address of a server.
 *
 * @param url {@code http://host:port}, optionally with a path in front of the API, without a trailing slash
 * @param origin source of the address for messages: an option, a variable or a file
 */
public record ServerAddress(URI url, String origin) {

    private static final int MAX_SHOWN_LENGTH = 200;

    /** Parses an http or https address; {@code origin} appears in the error if it is invalid. */
    public static ServerAddress parse(String text, String origin) {
        try {
            URI url = new URI(text.strip().replaceAll("/+$", ""));
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https"))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return new ServerAddress(url, origin);
            }
        } catch (URISyntaxException invalid) {
            // Reported below.
        }
        throw new IllegalArgumentException("%s is %s: it must be an address such as http://127.0.0.1:8484"
                .formatted(origin, SafeText.quote(text, MAX_SHOWN_LENGTH)));
    }

    /** Whether it is on this machine, so that a proxy must not be used. */
    public boolean isLoopback() {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.equals("[::1]")
                || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }

    URI resolve(ApiPath resource) {
        return URI.create(url + "/api/v1/" + resource);
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
