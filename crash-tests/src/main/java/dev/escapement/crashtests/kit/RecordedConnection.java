package dev.escapement.crashtests.kit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection to the sink, with one request at a time. */
final class RecordedConnection {

    private static final byte[] RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(US_ASCII);
    private static final int MAX_REQUEST_LENGTH = 16 << 10;

    private final SocketChannel channel;
    private final byte[] bytes = new byte[MAX_REQUEST_LENGTH];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

    RecordedConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Reads available bytes; returns whether a whole request has been read. */
    boolean read() throws IOException {
        int count = channel.read(buffer);
        if (count < 0 || !buffer.hasRemaining()) {
            channel.close();
            throw new EOFException(count < 0 ? "the client closed the connection" : "the request is too long");
        }
        int head = headLength();
        return head > 0 && buffer.position() >= head + bodyLength(head);
    }

    private int headLength() {
        for (int i = 3; i < buffer.position(); i++) {
            if (bytes[i] == '\n' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    private int bodyLength(int head) {
        String length = header("Content-Length", head);
        return length.isEmpty() ? 0 : Integer.parseInt(length);
    }

    /** Returns the path of the request. */
    String path() {
        int from = indexOf(' ', 0) + 1;
        return new String(bytes, from, indexOf(' ', from) - from, US_ASCII);
    }

    /** Returns a header of the request; empty if it is missing. */
    String header(String name) {
        return header(name, headLength());
    }

    private String header(String name, int head) {
        for (int line = indexOf('\n', 0) + 1; line < head; line = indexOf('\n', line) + 1) {
            if (startsWith(line, name) && bytes[line + name.length()] == ':') {
                int from = line + name.length() + 1;
                return new String(bytes, from, indexOf('\n', from) - from, US_ASCII).strip();
            }
        }
        return "";
    }

    private boolean startsWith(int at, String name) {
        for (int i = 0; i < name.length(); i++) {
            if ((bytes[at + i] | 0x20) != (name.charAt(i) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    private int indexOf(char wanted, int from) {
        int i = from;
        while (i < buffer.position() && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /** Discards the request. A client sends no part of the next one before it has the response. */
    void reset() {
        buffer.clear();
    }

    /** Sends the response; these few bytes always fit into the send buffer of an idle connection. */
    void respond() throws IOException {
        try {
            channel.write(ByteBuffer.wrap(RESPONSE));
        } catch (IOException closed) {
            channel.close();
        }
    }
}
