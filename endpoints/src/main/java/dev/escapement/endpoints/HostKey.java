package dev.escapement.endpoints;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** What concurrency is limited by: host and port of a URL. */
public final class HostKey {

    private static final int LONGEST = 300;

    private HostKey() {}

    /** Lower case, with the port; a URL that has turned bad is its own host, so that it can only hold up itself. */
    public static String of(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() != null) {
                int port = uri.getPort() >= 0 ? uri.getPort() : "http".equalsIgnoreCase(uri.getScheme()) ? 80 : 443;
                return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
            }
        } catch (URISyntaxException bad) {
            // Its own host, as said.
        }
        return url.substring(0, Math.min(LONGEST, url.length()));
    }
}
