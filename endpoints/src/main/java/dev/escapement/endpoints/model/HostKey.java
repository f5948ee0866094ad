package dev.escapement.endpoints.model;

import dev.escapement.common.Digests;
import dev.escapement.endpoints.guard.EndpointUrl;

/** The key by which concurrent calls are limited: host and port of a URL. */
public final class HostKey {

    private static final int DIGEST_BYTES = 8;

    private HostKey() {}

    /**
     * Returns host in lower case and port. An invalid URL gets a key of its own, so that it delays no other; the key
     * holds a digest, because keys are logged and URLs may contain secrets.
     */
    public static String of(String url) {
        try {
            return EndpointUrl.parse(url).hostKey();
        } catch (IllegalArgumentException bad) {
            return "bad-url-" + Digests.sha256Hex(url, DIGEST_BYTES);
        }
    }
}
