package dev.escapement.process.run;

import dev.escapement.engine.execution.RunRef;
import java.util.regex.Pattern;

/**
 * Where a run is: a server, and a folder there that follows from the execution. So a run is found without an index.
 *
 * @param serverId its id
 * @param key the name of the folder
 */
public record RunName(String serverId, String key) {

    /** What is made of a uid that is no plain one begins with a letter that no plain one has. */
    private static final Pattern PLAIN_UID_PATTERN = Pattern.compile("[0-9a-f-]{8,64}");

    private static final Pattern KEY_PATTERN = Pattern.compile("x?[0-9a-f-]{8,64}");

    public static RunName of(String server, String executionUid) {
        boolean plain = PLAIN_UID_PATTERN.matcher(executionUid).matches();
        return new RunName(
                server,
                plain ? executionUid : "x" + Digests.sha256(executionUid).substring(0, 40));
    }

    /** Whatever the name is, its key is safe as the name of a folder; it may be one that does not exist. */
    public static RunName of(RunRef run) {
        int slash = run.name().indexOf('/');
        String key = run.name().substring(slash + 1);
        return new RunName(slash < 0 ? "" : run.name().substring(0, slash), isKey(key) ? key : "none");
    }

    static boolean isKey(String name) {
        return KEY_PATTERN.matcher(name).matches();
    }

    @Override
    public String toString() {
        return serverId + "/" + key;
    }
}
