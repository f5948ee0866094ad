package dev.escapement.process.run;

import java.time.Instant;

/** Who created the link {@code begun} of a run. It is created once, by the first that tries. */
public sealed interface RunClaim {

    String REMOVED_LINK_TARGET = "removed";

    /** A supervisor process, identified so that a later process with the same pid is not mistaken for it. */
    record Supervisor(long pid, String startTicks, String bootId, Instant startedAt) implements RunClaim {}

    /** The run was removed before it started. */
    record Removed() implements RunClaim {}

    /** The link has a format that this program does not write; the run counts as started. */
    record Unreadable() implements RunClaim {}

    static RunClaim parse(String link, Instant at) {
        if (link.equals(REMOVED_LINK_TARGET)) {
            return new Removed();
        }
        String[] parts = link.split(" ", -1);
        try {
            return parts.length == 3
                    ? new Supervisor(Long.parseLong(parts[0]), parts[1], parts[2], at)
                    : new Unreadable();
        } catch (NumberFormatException notOurs) {
            return new Unreadable();
        }
    }
}
