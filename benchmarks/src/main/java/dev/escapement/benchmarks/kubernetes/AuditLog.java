package dev.escapement.benchmarks.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The audit log of a running API server. */
final class AuditLog {

    private static final int BLOCK_SIZE = 1 << 16;

    private final Path file;
    private final String user;

    /** @param user whose requests are read */
    AuditLog(Path file, String user) {
        this.file = file;
        this.user = user;
    }

    /** Returns the current size of the log in bytes. */
    long position() throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /** Returns the requests after a position; an incomplete last line is ignored. */
    List<AuditedRequest> readSince(long position) throws IOException {
        List<AuditedRequest> calls = new ArrayList<>();
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(position);
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

    /** Searches the user name first: most lines are of other users, and parsing is slow. */
    private void addIfOwn(String line, List<AuditedRequest> calls) {
        if (line.contains("\"" + user + "\"")) {
            AuditedRequest call = AuditedRequest.parse(line);
            if (call.user().equals(user)) {
                calls.add(call);
            }
        }
    }
}
