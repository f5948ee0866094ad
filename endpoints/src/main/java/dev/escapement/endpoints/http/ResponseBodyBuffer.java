package dev.escapement.endpoints.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Counts the bytes of a response body and keeps the first {@code maxKeptBytes}. */
final class ResponseBodyBuffer {

    private static final byte[] EMPTY = {};

    private final int maxKeptBytes;
    private byte[] bytes = EMPTY;
    private int size;
    private long count;

    ResponseBodyBuffer(int maxKeptBytes) {
        this.maxKeptBytes = maxKeptBytes;
    }

    /** Consumes the chunk and returns the number of bytes received so far. */
    synchronized long add(ByteBuffer chunk) {
        count += chunk.remaining();
        int kept = Math.min(chunk.remaining(), maxKeptBytes - size);
        if (kept > 0) {
            if (size + kept > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(maxKeptBytes, Math.max(size + kept, bytes.length * 2)));
            }
            chunk.get(bytes, size, kept);
            size += kept;
        }
        chunk.position(chunk.limit());
        return count;
    }

    synchronized long count() {
        return count;
    }

    synchronized byte[] keptBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
