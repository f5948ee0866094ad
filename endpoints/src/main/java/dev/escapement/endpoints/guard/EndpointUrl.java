package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A URL that can be called: {@code http} or {@code https}, a host without tricks, no user-info and no fragment. It
 * prints itself without its path and query, which may hold secrets.
 */
public final class EndpointUrl {

    /** The most characters that a URL has. */
    public static final int MAX_LENGTH = 2048;

    private final URI uri;
    private final String host;
    private final int port;

    private EndpointUrl(URI uri, String host, int port) {
        this.uri = uri;
        this.host = host;
        this.port = port;
    }

    /**
     * Reads a URL as somebody wrote it.
     *
     * @throws IllegalArgumentException saying which rule it breaks and what to do, without repeating what could be
     *     secret
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
        int port = colon == authority.length() ? (secure ? 443 : 80) : port(authority.substring(colon + 1));
        String bare = host.startsWith("[") ? parseIpv6Host(host) : host;
        if (AddressParser.parse(bare).isEmpty()) {
            AddressParser.findHostNameProblem(bare).ifPresent(EndpointUrl::reject);
        }
        String rest = text.substring(end);
        String path = rest.startsWith("/") ? rest : "/" + rest;
        URI uri = uri((secure ? "https://" : "http://") + host + ":" + port + path);
        if (uri.getHost() == null) {
            throw invalidUrl("the host cannot be called: its last part must begin with a letter");
        }
        return new EndpointUrl(uri, bare, port);
    }

    private static String parseIpv6Host(String bracketed) {
        String bare = bracketed.substring(1, bracketed.length() - 1);
        Optional<InetAddress> address = bare.indexOf(':') < 0 ? Optional.empty() : AddressParser.parse(bare);
        if (address.isEmpty()) {
            throw invalidUrl("what stands in brackets is no IPv6 address; a zone is not allowed either");
        }
        if (address.get().getAddress().length == 4) {
            throw invalidUrl("the host is an IPv4 address in IPv6; write it as IPv4");
        }
        return address.get().getHostAddress();
    }

    private static int port(String text) {
        try {
            return PortParser.parse(text);
        } catch (IllegalArgumentException flaw) {
            throw invalidUrl(String.valueOf(flaw.getMessage()));
        }
    }

    private static URI uri(String text) {
        try {
            return new URI(new URI(text).toASCIIString());
        } catch (URISyntaxException flaw) {
            throw invalidUrl(
                    "the path or query has a character that must be percent-encoded, or a broken percent-encoding");
        }
    }

    static IllegalArgumentException invalidUrl(String flaw) {
        return new IllegalArgumentException("url: " + flaw);
    }

    private static void reject(String flaw) {
        throw invalidUrl(flaw);
    }

    /**
     * Refuses an address that would be denied at every call. A name is judged when it is called, by the addresses that
     * it leads to then.
     *
     * @throws IllegalArgumentException if the host is an address that the list denies
     */
    public EndpointUrl requireAllowed(AllowList allowed) {
        AddressParser.parse(host)
                .flatMap(address -> allowed.findDenial(host, port, address))
                .ifPresent(kind -> reject(AddressDeniedException.describe(host, kind)));
        return this;
    }

    /** Host and port in lower case, the port always given: what is limited together. */
    public String hostKey() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** The host, in lower case and without brackets. */
    public String host() {
        return host;
    }

    /** The port that is called. */
    public int port() {
        return port;
    }

    /** The whole of it, normalised: to call, not to show. */
    public URI uri() {
        return uri;
    }

    @Override
    public String toString() {
        return uri.getScheme() + "://" + hostKey() + "/…";
    }
}
