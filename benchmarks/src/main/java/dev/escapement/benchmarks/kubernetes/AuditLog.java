package dev.escapement.benchmarks.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The audit log of an API server that goes on writing it. */
final class AuditLog {

    private static final int BLOCK_SIZE = 1 << 16;

    private final Path file;
    private final String user;

    /** Sees only what this user asked for. */
    AuditLog(Path file, String user) {
        this.file = file;
        this.user = user;
    }

    /** The place up to which it is written now. */
    long position() throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /** Everything that was answered since; a line that is only half written is left out. */
    List<AuditedRequest> readSince(long mark) throws IOException {
        List<AuditedRequest> calls = new ArrayList<>();
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(mark);
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            byte[] block = new byte[BLOCK_SIZE];
            for (int read = in.read(block); read > 0; read = in.read(block)) {
                for (int i = 0; i < read; i++) {
                    if (block[i] == '\n') {
                        addIfOwn(line.toString(StandardCharsets.UTF_8), calls);
                        line.reset();
                    } else {
                        line.write(block[i]);
                    }
                }
            }
        }
        return calls;
    }

    /** Most lines are somebody else's, and parsing is dear. */
    private void addIfOwn(String line, List<AuditedRequest> calls) {
        if (line.contains("\"" + user + "\"")) {
            AuditedRequest call = AuditedRequest.parse(line);
            if (call.user().equals(user)) {
                calls.add(call);
            }
        }
    }
}
