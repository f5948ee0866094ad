package dev.escapement.process;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What tasks see of the server's environment: the few things that every program needs, and no secret. */
final class Environments {

    private static final List<String> PASSED_ON = List.of("HOME", "LANG", "TZ", "TMPDIR");
    private static final String STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Environments() {}

    /** What is passed on of an environment. */
    static Map<String, String> clean(Map<String, String> server) {
        Map<String, String> clean = new TreeMap<>();
        clean.put("PATH", server.getOrDefault("PATH", STANDARD_PATH));
        for (String name : PASSED_ON) {
            if (server.containsKey(name)) {
                clean.put(name, server.get(name));
            }
        }
        return clean;
    }
}
