package dev.escapement.benchmarks.program;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection that is kept open, and as little work per request as possible: the load generator shares the cores
 * with what it measures.
 */
public final class RawHttp implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** Connects to a port of this machine. */
    public RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
    }

    /** What came back. */
    public record Answer(int status, String body) {}

    /** Sends JSON. */
    public Answer post(String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        head("POST", path, "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n");
        out.write(bytes);
        out.flush();
        return read();
    }

    /** Asks. */
    public Answer get(String path) throws IOException {
        head("GET", path, "");
        out.flush();
        return read();
    }

    private void head(String method, String path, String headers) throws IOException {
        String head =
                method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + socket.getPort() + "\r\n" + headers + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
    }

    private Answer read() throws IOException {
        int status = Integer.parseInt(line().substring(9, 12));
        int length = -1;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.endsWith("chunked")) {
                chunked = true;
            }
        }
        String body = chunked ? chunks() : new String(in.readNBytes(Math.max(0, length)), StandardCharsets.UTF_8);
        return new Answer(status, body);
    }

    private String chunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
            line();
        }
        line();
        return body.toString();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
