package dev.escapement.process.os;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Selects the variables of the server's environment that tasks inherit; the others may be secrets. */
public final class TaskEnvironment {

    private static final Set<String> INHERITED_VARIABLES = Set.of("PATH", "HOME", "LANG", "TZ", "TMPDIR");
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private TaskEnvironment() {}

    public static Map<String, String> filter(Map<String, String> environment) {
        Map<String, String> inherited = new TreeMap<>(environment);
        inherited.keySet().retainAll(INHERITED_VARIABLES);
        inherited.putIfAbsent("PATH", DEFAULT_PATH);
        return inherited;
    }
}
