package dev.escapement.endpoints.guard;

import dev.escapement.common.Digests;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A normalised URL of an endpoint: {@code http} or {@code https}, an unambiguous host, no user info, no fragment.
 * {@link #toString} omits path and query, which may contain secrets.
 */
public final class EndpointUrl {

    /** Maximum length in characters. */
    public static final int MAX_LENGTH = 2048;

    private static final int KEY_DIGEST_BYTES = 8;

    private final URI uri;
    private final String host;
    private final int port;

    private EndpointUrl(URI uri, String host, int port) {
        this.uri = uri;
        this.host = host;
        this.port = port;
    }

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException naming the rule that it breaks, without repeating parts that may be secret
     */
    public static EndpointUrl parse(String text) {
        UrlSyntax.check(text);
        String scheme = UrlSyntax.parseScheme(text);
        int start = scheme.length() + "://".length();
        int end = UrlSyntax.endOfAuthority(text, start);
        String authority = text.substring(start, end);
        UrlSyntax.checkAuthority(authority);
        int colon = UrlSyntax.endOfHost(authority);
        String host = authority.substring(0, colon).toLowerCase(Locale.ROOT);
        boolean secure = scheme.equalsIgnoreCase("https");
        int port = colon == authority.length() ? (secure ? 443 : 80) : parsePort(authority.substring(colon + 1));
        String plainHost = host.startsWith("[") ? parseIpv6Host(host) : host;
        if (AddressParser.parse(plainHost).isEmpty()) {
            AddressParser.findHostNameProblem(plainHost).ifPresent(EndpointUrl::reject);
        }
        String rest = text.substring(end);
        String path = rest.startsWith("/") ? rest : "/" + rest;
        URI uri = parseUri((secure ? "https://" : "http://") + host + ":" + port + path);
        if (uri.getHost() == null) {
            throw invalidUrl("the host cannot be called: its last part must begin with a letter");
        }
        return new EndpointUrl(uri, plainHost, port);
    }

    private static String parseIpv6Host(String bracketed) {
        String plainHost = bracketed.substring(1, bracketed.length() - 1);
        Optional<InetAddress> address = plainHost.indexOf(':') < 0 ? Optional.empty() : AddressParser.parse(plainHost);
        if (address.isEmpty()) {
            throw invalidUrl("the host in brackets is not an IPv6 address; zones are not allowed");
        }
        if (address.get().getAddress().length == 4) {
            throw invalidUrl("the host is an IPv4 address in IPv6 form; write it as IPv4");
        }
        return address.get().getHostAddress();
    }

    private static int parsePort(String text) {
        try {
            return AddressParser.parsePort(text);
        } catch (IllegalArgumentException invalid) {
            throw invalidUrl(String.valueOf(invalid.getMessage()));
        }
    }

    private static URI parseUri(String text) {
        try {
            return new URI(new URI(text).toASCIIString());
        } catch (URISyntaxException invalid) {
            throw invalidUrl(
                    "the path or query has a character that must be percent-encoded, or a broken percent-encoding");
        }
    }

    static IllegalArgumentException invalidUrl(String problem) {
        return new IllegalArgumentException("url: " + problem);
    }

    private static void reject(String problem) {
        throw invalidUrl(problem);
    }

    /**
     * Checks a host that is an IP address; host names are checked at every connection.
     *
     * @throws IllegalArgumentException if the address is denied
     */
    public EndpointUrl requireAllowed(AllowList allowed) {
        AddressParser.parse(host)
                .flatMap(address -> allowed.findDenial(host, port, address))
                .ifPresent(kind -> reject(AddressDeniedException.describe(host, kind)));
        return this;
    }

    /**
     * Returns the {@link #hostKey} of a URL. An invalid URL gets a key of its own, so that it delays no other; the key
     * holds a digest, because keys are logged and URLs may contain secrets.
     */
    public static String hostKeyOf(String url) {
        try {
            return parse(url).hostKey();
        } catch (IllegalArgumentException invalid) {
            return "bad-url-" + Digests.sha256Hex(url, KEY_DIGEST_BYTES);
        }
    }

    /** Host in lower case and port: calls with the same key share a concurrency limit. */
    public String hostKey() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** The host, in lower case and without brackets. */
    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** The whole URL; for calling, not for display. */
    public URI uri() {
        return uri;
    }

    @Override
    public String toString() {
        return uri.getScheme() + "://" + hostKey() + "/…";
    }
}
