package dev.escapement.crashtests.cluster.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Reads and forwards bodies of HTTP messages. */
final class HttpBodyStreams {

    private static final int BUFFER_SIZE = 1 << 14;

    private HttpBodyStreams() {}

    /** Reads the whole body. */
    static byte[] readBody(InputStream in, HttpHead head) throws IOException {
        if (!head.isChunked()) {
            int length = Math.toIntExact(head.contentLength().orElse(0L));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("the body is incomplete");
            }
            return body;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = readChunkSize(in); size > 0; size = readChunkSize(in)) {
            body.writeBytes(in.readNBytes(size));
            readLine(in);
        }
        readLine(in);
        return body.toByteArray();
    }

    /** Forwards a body as it arrives, with the same transfer encoding. */
    static void relayBody(InputStream in, HttpHead head, OutputStream out) throws IOException {
        if (head.isChunked()) {
            int size;
            do {
                size = readChunkSize(in);
                out.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                copyBytes(in, out, size);
                readLine(in);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            } while (size > 0);
        } else {
            copyBytes(in, out, head.contentLength().orElse(0L));
        }
        out.flush();
    }

    private static void copyBytes(InputStream in, OutputStream out, long length) throws IOException {
        byte[] part = new byte[BUFFER_SIZE];
        for (long left = length; left > 0; ) {
            int read = in.read(part, 0, (int) Math.min(left, BUFFER_SIZE));
            if (read < 0) {
                throw new EOFException("the body is incomplete");
            }
            out.write(part, 0, read);
            left -= read;
        }
    }

    /** Copies until one of the connections is closed. */
    static void copyUntilEnd(InputStream in, OutputStream out) throws IOException {
        byte[] part = new byte[BUFFER_SIZE];
        for (int read = in.read(part); read >= 0; read = in.read(part)) {
            out.write(part, 0, read);
            out.flush();
        }
    }

    private static int readChunkSize(InputStream in) throws IOException {
        String line = readLine(in);
        int end = line.indexOf(';');
        return Integer.parseInt((end < 0 ? line : line.substring(0, end)).strip(), 16);
    }

    private static String readLine(InputStream in) throws IOException {
        return HttpHead.readLine(in).orElseThrow(() -> new EOFException("the body is incomplete"));
    }
}
