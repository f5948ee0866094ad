package dev.escapement.server;

import java.time.Duration;

/**
 * How often a server looks after what nobody tells it of.
 *
 * @param sweep for ledger entries that hold and remember nothing
 * @param heal for targets whose holder is gone
 * @param resume for wake-ups that were lost, with a connection or with an answer: reads, and no writes
 */
record Rhythms(Duration sweep, Duration heal, Duration resume) {

    static final Rhythms USUAL = new Rhythms(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(1));

    Rhythms withResume(Duration other) {
        return new Rhythms(sweep, heal, other);
    }
}
