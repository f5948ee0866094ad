package dev.escapement.endpoints.call;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Counts the bytes of a body as they come, and keeps the first of them. */
final class Body {

    private static final byte[] NOTHING = {};

    private final int kept;
    private byte[] bytes = NOTHING;
    private int size;
    private long count;

    Body(int kept) {
        this.kept = kept;
    }

    /** Takes all of the chunk; returns how many bytes came so far. */
    synchronized long add(ByteBuffer chunk) {
        count += chunk.remaining();
        int take = Math.min(chunk.remaining(), kept - size);
        if (take > 0) {
            if (size + take > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(kept, Math.max(size + take, bytes.length * 2)));
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

    synchronized byte[] beginning() {
        return Arrays.copyOf(bytes, size);
    }
}
