package dev.escapement.server.config;

import java.util.Locale;

/** Recognises loopback hosts by their text. */
public final class LoopbackHosts {

    private LoopbackHosts() {}

    /** Whether a host in a setting or a request is a loopback address. Does not resolve names. */
    public static boolean contains(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.equals("::1")
                || name.equals("[::1]")
                || name.matches("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    }
}
