package dev.escapement.server.config;

import java.util.Locale;

/** Which hosts are this machine and nobody else's. */
public final class LoopbackHosts {

    private LoopbackHosts() {}

    /** Whether a host, as it is written in a setting or in a request, is this machine. Never asks a name service. */
    public static boolean contains(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.equals("::1")
                || name.equals("[::1]")
                || name.matches("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    }
}
