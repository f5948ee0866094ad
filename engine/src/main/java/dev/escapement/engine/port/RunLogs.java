package dev.escapement.engine.port;

import dev.escapement.engine.execution.RunRef;

/** Reads the output of runs. */
public interface RunLogs {

    /**
     * A part of the output of a run.
     *
     * @param text whole lines where possible; invalid UTF-8 is replaced
     * @param nextOffset the offset of the next chunk, in bytes
     * @param ended whether this is the last chunk
     */
    record Chunk(String text, long nextOffset, boolean ended) {}

    /**
     * Reads a part of the output.
     *
     * @param from 0, or the next offset of the chunk before
     * @param limit the maximum number of bytes
     * @return an ended chunk without text if there is no such run
     */
    Chunk read(RunRef run, long from, int limit);
}
