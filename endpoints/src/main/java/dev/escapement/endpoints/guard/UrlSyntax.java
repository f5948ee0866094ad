package dev.escapement.endpoints.guard;

import java.net.IDN;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the text of a URL before parsing, and refuses everything that URL parsers interpret differently. */
final class UrlSyntax {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{0,30}):(//)?");
    private static final List<String> SCHEMES = List.of("https", "http");

    private UrlSyntax() {}

    static void check(String text) {
        if (text.isBlank()) {
            throw EndpointUrl.invalidUrl("it is missing; give one like https://host/path");
        }
        if (text.length() > EndpointUrl.MAX_LENGTH) {
            throw EndpointUrl.invalidUrl("it has " + text.length() + " characters, at most " + EndpointUrl.MAX_LENGTH
                    + " are allowed; move data to the body");
        }
        long bad = text.codePoints().takeWhile(c -> !isForbidden(c)).count();
        if (bad < text.codePoints().count()) {
            throw EndpointUrl.invalidUrl("character " + (bad + 1)
                    + " is a space, a control character, a backslash or an unpaired surrogate; remove or encode it");
        }
        if (text.indexOf('#') >= 0) {
            throw EndpointUrl.invalidUrl("it has a fragment (#…), which is never sent; remove it, or encode # as %23");
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

    /** Returns the scheme in its original case. */
    static String parseScheme(String text) {
        Matcher matcher = SCHEME.matcher(text);
        if (!matcher.lookingAt()) {
            throw EndpointUrl.invalidUrl("it does not begin with http:// or https://; add one");
        }
        String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            String hint = closestScheme(scheme)
                    .map(near -> "; did you mean " + near + "://?")
                    .orElse("");
            throw EndpointUrl.invalidUrl("scheme '" + scheme + "' is not supported, only http and https are" + hint);
        }
        if (matcher.end(2) < 0) {
            throw EndpointUrl.invalidUrl("after " + scheme + ": two slashes must follow");
        }
        return matcher.group(1);
    }

    private static Optional<String> closestScheme(String scheme) {
        return SCHEMES.stream()
                .filter(known -> editDistance(scheme, known) <= 2)
                .findFirst();
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

    static int endOfAuthority(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
            end++;
        }
        return end;
    }

    static void checkAuthority(String authority) {
        if (authority.indexOf('@') >= 0) {
            throw EndpointUrl.invalidUrl(
                    "it has a user or password before the host; send an Authorization header instead");
        }
        if (authority.indexOf('%') >= 0) {
            throw EndpointUrl.invalidUrl("the host has a percent-encoding or a zone; write the plain host");
        }
        if (authority.chars().anyMatch(c -> c > 0x7E)) {
            throw EndpointUrl.invalidUrl("the host has non-ASCII characters; write it as " + toAscii(authority));
        }
        if (authority.startsWith("[") && authority.indexOf(']') < 0) {
            throw EndpointUrl.invalidUrl("the bracket ']' after the IPv6 address is missing");
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
    static int endOfHost(String authority) {
        int colon = authority.indexOf(':', Math.max(0, authority.indexOf(']')));
        return colon < 0 ? authority.length() : colon;
    }
}
