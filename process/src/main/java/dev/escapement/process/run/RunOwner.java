package dev.escapement.process.run;

import java.time.Instant;

/** Who made the link that a run begins with: it is made once, by whoever comes first. */
public sealed interface RunOwner {

    /** What the link of a removed run says. */
    String REMOVED_LINK_TARGET = "removed";

    /** A supervisor: its process, in a way that tells it from a later one with the same number. */
    record Supervisor(long pid, String startTicks, String bootId, Instant startedAt) implements RunOwner {}

    /** Somebody removed it before it could begin. */
    record Removed() implements RunOwner {}

    /** It began, and the link does not say with whom: nothing that we write. */
    record Unreadable() implements RunOwner {}

    static RunOwner parse(String link, Instant at) {
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
