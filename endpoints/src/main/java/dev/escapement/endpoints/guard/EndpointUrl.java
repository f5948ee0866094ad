package dev.escapement.endpoints.guard;

import dev.escapement.common.Digests;
import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A normalised URL of an endpoint: {@code http} or {@code https}, an unambiguous host, no user info, no fragment. What
 * URL parsers interpret differently is refused. {@link #toString} omits path and query, which may contain secrets.
 */
public final class EndpointUrl {

    /** Maximum length in characters. */
    public static final int MAX_LENGTH = 2048;

    private static final int KEY_DIGEST_BYTES = 8;
    private static final List<String> SCHEMES = List.of("https", "http");
    /** Groups: scheme, slashes, authority. */
    private static final Pattern START = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{0,30}):(//)?([^/?]*)");

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
        try {
            return parseParts(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("url: " + invalid.getMessage(), invalid);
        }
    }

    private static EndpointUrl parseParts(String text) {
        checkCharacters(text);
        Matcher start = START.matcher(text);
        if (!start.lookingAt()) {
            throw new IllegalArgumentException("it does not begin with http:// or https://; add one");
        }
        String scheme = start.group(1).toLowerCase(Locale.ROOT);
        checkScheme(scheme);
        if (start.end(2) < 0) {
            throw new IllegalArgumentException("after " + scheme + ": two slashes must follow");
        }
        String authority = start.group(3);
        checkAuthority(authority);
        int colon = endOfHost(authority);
        String host = authority.substring(0, colon).toLowerCase(Locale.ROOT);
        int defaultPort = scheme.equals("https") ? 443 : 80;
        int port = colon == authority.length() ? defaultPort : AddressParser.parsePort(authority.substring(colon + 1));
        String plainHost = host.startsWith("[") ? parseIpv6Host(host) : host;
        if (AddressParser.parse(plainHost).isEmpty()) {
            AddressParser.checkHostName(plainHost);
        }
        String rest = text.substring(start.end());
        URI uri = parseUri(scheme + "://" + host + ":" + port + (rest.startsWith("/") ? rest : "/" + rest));
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("the host cannot be called: its last part must begin with a letter");
        }
        return new EndpointUrl(uri, plainHost, port);
    }

    private static void checkCharacters(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is missing; give one like https://host/path");
        }
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("it has " + text.length() + " characters, at most " + MAX_LENGTH
                    + " are allowed; move data to the body");
        }
        long valid = text.codePoints().takeWhile(c -> !isForbidden(c)).count();
        if (valid < text.codePoints().count()) {
            throw new IllegalArgumentException("character " + (valid + 1)
                    + " is a space, a control character, a backslash or an unpaired surrogate; remove or encode it");
        }
        if (text.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "it has a fragment (#…), which is never sent; remove it, or encode # as %23");
        }
    }

    private static boolean isForbidden(int c) {
        return c == '\\'
                || Character.isISOControl(c)
                || Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || Character.getType(c) == Character.FORMAT
                || Character.getType(c) == Character.SURROGATE;
    }

    private static void checkScheme(String scheme) {
        if (!SCHEMES.contains(scheme)) {
            String hint = SCHEMES.stream()
                    .filter(known -> editDistance(scheme, known) <= 2)
                    .findFirst()
                    .map(near -> "; did you mean " + near + "://?")
                    .orElse("");
            throw new IllegalArgumentException(
                    "scheme '" + scheme + "' is not supported, only http and https are" + hint);
        }
    }

    /** Levenshtein distance. */
    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }

    private static void checkAuthority(String authority) {
        if (authority.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "it has a user or password before the host; send an Authorization header instead");
        }
        if (authority.indexOf('%') >= 0) {
            throw new IllegalArgumentException("the host has a percent-encoding or a zone; write the plain host");
        }
        if (authority.chars().anyMatch(c -> c > 0x7E)) {
            throw new IllegalArgumentException("the host has non-ASCII characters; write it as " + toAscii(authority));
        }
        if (authority.startsWith("[") && authority.indexOf(']') < 0) {
            throw new IllegalArgumentException("the bracket ']' after the IPv6 address is missing");
        }
    }

    private static String toAscii(String authority) {
        try {
            return "'" + IDN.toASCII(authority.substring(0, endOfHost(authority))) + "'";
        } catch (IllegalArgumentException noName) {
            return "its ASCII form (xn--…)";
        }
    }

    /** Returns the index of the colon before the port, or the length. */
    private static int endOfHost(String authority) {
        int colon = authority.indexOf(':', Math.max(0, authority.indexOf(']')));
        return colon < 0 ? authority.length() : colon;
    }

    private static String parseIpv6Host(String bracketed) {
        String plainHost = bracketed.substring(1, bracketed.length() - 1);
        Optional<InetAddress> address = plainHost.indexOf(':') < 0 ? Optional.empty() : AddressParser.parse(plainHost);
        if (address.isEmpty()) {
            throw new IllegalArgumentException("the host in brackets is not an IPv6 address; zones are not allowed");
        }
        if (address.get().getAddress().length == 4) {
            throw new IllegalArgumentException("the host is an IPv4 address in IPv6 form; write it as IPv4");
        }
        return address.get().getHostAddress();
    }

    private static URI parseUri(String text) {
        try {
            return new URI(new URI(text).toASCIIString());
        } catch (URISyntaxException invalid) {
            // Without the cause: its message contains the whole URL.
            throw new IllegalArgumentException(
                    "the path or query has a character that must be percent-encoded, or a broken percent-encoding");
        }
    }

    /**
     * Checks a host that is an IP address; host names are checked at every connection.
     *
     * @throws IllegalArgumentException if the address is denied
     */
    public EndpointUrl requireAllowed(AllowList allowed) {
        AddressParser.parse(host)
                .flatMap(address -> allowed.findDenial(host, port, address))
                .ifPresent(kind -> {
                    throw new IllegalArgumentException("url: " + kind.describeDenial(host));
                });
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

    /** Scheme, host and port: what receives the secrets of a call. */
    public String origin() {
        return uri.getScheme() + "://" + hostKey();
    }

    /** The host, in lower case and without brackets. */
    public String host() {
        return host;
    }

    /** The whole URL; for calling, not for display. */
    public URI uri() {
        return uri;
    }

    @Override
    public String toString() {
        return origin() + "/…";
    }
}
