package dev.escapement.endpoints.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Counts the bytes of a body as they come, and keeps the first of them. */
final class ResponseBodyBuffer {

    private static final byte[] EMPTY = {};

    private final int maxKeptBytes;
    private byte[] bytes = EMPTY;
    private int size;
    private long count;

    ResponseBodyBuffer(int kept) {
        this.maxKeptBytes = kept;
    }

    /** Takes all of the chunk; returns how many bytes came so far. */
    synchronized long add(ByteBuffer chunk) {
        count += chunk.remaining();
        int take = Math.min(chunk.remaining(), maxKeptBytes - size);
        if (take > 0) {
            if (size + take > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(maxKeptBytes, Math.max(size + take, bytes.length * 2)));
            }
            chunk.get(bytes, size, take);
            size += take;
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
