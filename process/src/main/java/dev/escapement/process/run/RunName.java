package dev.escapement.process.run;

import dev.escapement.common.Digests;
import dev.escapement.engine.execution.RunRef;
import java.util.regex.Pattern;

/**
 * The location of a run: a server and a folder name derived from the execution's uid, so that no index is needed.
 *
 * @param serverId id of the server
 * @param key name of the folder
 */
public record RunName(String serverId, String key) {

    /** Other uids are hashed; their keys start with "x", which no plain uid contains. */
    private static final Pattern PLAIN_UID_PATTERN = Pattern.compile("[0-9a-f-]{8,64}");

    private static final Pattern KEY_PATTERN = Pattern.compile("x?[0-9a-f-]{8,64}");

    public static RunName of(String serverId, String executionUid) {
        boolean plain = PLAIN_UID_PATTERN.matcher(executionUid).matches();
        return new RunName(serverId, plain ? executionUid : "x" + Digests.sha256Hex(executionUid, 20));
    }

    /** Parses a run's name. The key is always a safe folder name; for a foreign name it matches no folder. */
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
