package dev.escapement.crashtests.kit;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP client with one persistent connection and as little work per request as possible: a load generator shares the
 * cores with the server that it measures.
 */
public final class RawHttpClient implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** Connects to a port of this machine. */
    public RawHttpClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
    }

    public record Response(int status, String body) {}

    public Response post(String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        writeHead("POST", path, "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n");
        out.write(bytes);
        out.flush();
        return readResponse();
    }

    public Response get(String path) throws IOException {
        writeHead("GET", path, "");
        out.flush();
        return readResponse();
    }

    /** Creates or updates endpoints; throws if the server does not accept all of them. */
    public void importEndpoints(List<Map<String, String>> endpoints) throws IOException {
        String body = JsonMapper.builder().build().writeValueAsString(Map.of("items", endpoints));
        Response response = post("/api/v1/endpoints/import", body);
        if (response.status() != 200) {
            throw new IOException("the import of endpoints failed: " + response);
        }
    }

    private void writeHead(String method, String path, String headers) throws IOException {
        String head =
                method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + socket.getPort() + "\r\n" + headers + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
    }

    private Response readResponse() throws IOException {
        int status = Integer.parseInt(readLine().substring(9, 12));
        int length = -1;
        boolean chunked = false;
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.endsWith("chunked")) {
                chunked = true;
            }
        }
        String body = chunked ? readChunks() : new String(in.readNBytes(Math.max(0, length)), StandardCharsets.UTF_8);
        return new Response(status, body);
    }

    private String readChunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(readLine(), 16); size > 0; size = Integer.parseInt(readLine(), 16)) {
            body.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
            readLine();
        }
        readLine();
        return body.toString();
    }

    private String readLine() throws IOException {
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
