package dev.escapement.server.standalone;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.process.runner.ProcessRunner;
import java.nio.charset.StandardCharsets;

/** Reads the output of runs on this server; for other runs returns a note that names their server. */
record LocalRunLogs(RunLogs logs, String serverId) implements RunLogs {

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        String server = ProcessRunner.serverIdOf(run);
        if (server.equals(serverId)) {
            return logs.read(run, from, limit);
        }
        String text = "(the output of this run is on server " + server + ")\n";
        long end = text.getBytes(StandardCharsets.UTF_8).length;
        return from == 0 ? new Chunk(text, end, true) : new Chunk("", from, true);
    }
}
