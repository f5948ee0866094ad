package dev.escapement.process;

import java.time.Instant;

/** Who made the link that a run begins with: it is made once, by whoever comes first. */
sealed interface Claim {

    /** What the link of a removed run says. */
    String REMOVED = "removed";

    /** A supervisor: its process, in a way that tells it from a later one with the same number. */
    record Supervisor(long pid, String ticks, String boot, Instant at) implements Claim {}

    /** Somebody removed it before it could begin. */
    record Removed() implements Claim {}

    /** It began, and the link does not say with whom: nothing that we write. */
    record Unreadable() implements Claim {}

    static Claim parse(String link, Instant at) {
        if (link.equals(REMOVED)) {
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
