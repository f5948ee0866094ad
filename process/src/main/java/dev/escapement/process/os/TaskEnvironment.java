package dev.escapement.process.os;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What tasks see of the server's environment: the few things that every program needs, and no secret. */
public final class TaskEnvironment {

    private static final List<String> INHERITED_VARIABLES = List.of("HOME", "LANG", "TZ", "TMPDIR");
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private TaskEnvironment() {}

    /** What is passed on of an environment. */
    public static Map<String, String> filter(Map<String, String> server) {
        Map<String, String> clean = new TreeMap<>();
        clean.put("PATH", server.getOrDefault("PATH", DEFAULT_PATH));
        for (String name : INHERITED_VARIABLES) {
            if (server.containsKey(name)) {
                clean.put(name, server.get(name));
            }
        }
        return clean;
    }
}
