package dev.escapement.benchmarks.clustercrash.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The rest of an HTTP message, whole or bit by bit. */
final class Bodies {

    private static final int PART = 1 << 14;

    private Bodies() {}

    /** The content of a body whose head tells where it ends. */
    static byte[] whole(InputStream in, Head head) throws IOException {
        if (!head.isChunked()) {
            int length = Math.toIntExact(head.length().orElse(0L));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("a body that ends too early");
            }
            return body;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(in); size > 0; size = size(in)) {
            body.writeBytes(in.readNBytes(size));
            line(in);
        }
        line(in);
        return body.toByteArray();
    }

    /** Hands a body on as it comes, in the form in which it comes. */
    static void relay(InputStream in, Head head, OutputStream out) throws IOException {
        if (head.isChunked()) {
            int size;
            do {
                size = size(in);
                out.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                copy(in, out, size);
                line(in);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            } while (size > 0);
        } else {
            copy(in, out, head.length().orElse(0L));
        }
        out.flush();
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] part = new byte[PART];
        for (long left = length; left > 0; ) {
            int read = in.read(part, 0, (int) Math.min(left, PART));
            if (read < 0) {
                throw new EOFException("a body that ends too early");
            }
            out.write(part, 0, read);
            left -= read;
        }
    }

    /** Until either side has enough. */
    static void pour(InputStream in, OutputStream out) throws IOException {
        byte[] part = new byte[PART];
        for (int read = in.read(part); read >= 0; read = in.read(part)) {
            out.write(part, 0, read);
            out.flush();
        }
    }

    private static int size(InputStream in) throws IOException {
        String line = line(in);
        int end = line.indexOf(';');
        return Integer.parseInt((end < 0 ? line : line.substring(0, end)).strip(), 16);
    }

    private static String line(InputStream in) throws IOException {
        return Head.line(in).orElseThrow(() -> new EOFException("a body that ends too early"));
    }
}
