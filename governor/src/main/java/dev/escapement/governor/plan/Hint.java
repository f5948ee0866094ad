package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.time.Instant;

/** A temporary change of a schedule by a person or an AI. Author and reason are not blank. */
public sealed interface Hint {

    /** When it was created, by the clock of the server. */
    Instant givenAt();

    /** The instant from which it has no effect, after {@code givenAt}. */
    Instant expiresAt();

    String author();

    String reason();

    /** Returns whether it has expired; a deadline of exactly now has passed. */
    default boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt());
    }

    /**
     * A hint that replaces the baseline and the backoff by another interval until it expires.
     *
     * @param every whole milliseconds, from one to 366 days
     */
    record IntervalHint(Duration every, Instant givenAt, Instant expiresAt, String author, String reason)
            implements Hint {

        public IntervalHint {
            ScheduleLimits.checkInterval("interval hint", every);
            ScheduleLimits.checkHint("interval hint", givenAt, expiresAt, author, reason);
        }

        @Override
        public String toString() {
            return "every %s until %s, given by %s at %s: %s"
                    .formatted(DurationText.format(every), expiresAt, author, givenAt, reason);
        }
    }

    /**
     * A hint for one additional run. A run fulfils it if its slot is at or after both the requested time and the time
     * at which the hint was given.
     *
     * @param at a time that has passed means as soon as possible
     * @param expiresAt after {@code at} too
     */
    record OneShotHint(Instant at, Instant givenAt, Instant expiresAt, String author, String reason) implements Hint {

        public OneShotHint {
            ScheduleLimits.checkInstant("time of the one-shot hint", at);
            ScheduleLimits.checkHint("one-shot hint", givenAt, expiresAt, author, reason);
            if (!at.isBefore(expiresAt)) {
                throw new IllegalArgumentException(
                        "one-shot hint is for %s and expires at %s: it must expire later than it is due"
                                .formatted(at, expiresAt));
            }
        }

        /**
         * Returns when it has to run, never before {@code givenAt}: with a clock set back, an earlier run would not
         * fulfil it.
         */
        public Instant due() {
            return at.isAfter(givenAt) ? at : givenAt;
        }

        @Override
        public String toString() {
            return "once at %s, until %s, given by %s at %s: %s".formatted(at, expiresAt, author, givenAt, reason);
        }
    }
}
