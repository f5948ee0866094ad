package dev.escapement.engine.port;

import dev.escapement.engine.execution.RunRef;

/** What runs have printed. */
public interface RunLogs {

    /**
     * A part of what a run printed.
     *
     * @param text whole lines where possible; what is no UTF-8 is replaced
     * @param nextOffset where to go on, in bytes
     * @param ended nothing will come after it
     */
    record Chunk(String text, long nextOffset, boolean ended) {}

    /**
     * Reads what a run printed.
     *
     * @param from in bytes, 0 or what the chunk before said
     * @param limit at most so many bytes
     * @return an ended chunk without text if there is no such run
     */
    Chunk read(RunRef run, long from, int limit);
}
