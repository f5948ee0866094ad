package dev.escapement.crashtests.cluster.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A request of an operator to the API server.
 *
 * @param rawBody the body, one character per byte
 */
public record ProxiedRequest(HttpHead head, String rawBody) {

    static Optional<ProxiedRequest> read(InputStream in) throws IOException {
        Optional<HttpHead> head = HttpHead.read(in);
        return head.isEmpty()
                ? Optional.empty()
                : Optional.of(new ProxiedRequest(
                        head.get(), new String(HttpBodyStreams.readBody(in, head.get()), StandardCharsets.ISO_8859_1)));
    }

    String method() {
        return head.startLine().substring(0, head.startLine().indexOf(' '));
    }

    /** Returns the path with the query. */
    String path() {
        String[] parts = head.startLine().split(" ", -1);
        return parts.length > 1 ? parts[1] : "";
    }

    /** Returns the body as text. */
    public String text() {
        return new String(bodyBytes(), StandardCharsets.UTF_8);
    }

    /** Returns whether the path or the body contains the name of an object. */
    public boolean mentions(String name) {
        return path().contains(name) || text().contains(name);
    }

    boolean isWatch() {
        return path().contains("watch=true") || isUpgrade();
    }

    /** Only of a WebSocket: an upgrade to HTTP/2 is removed from the request. */
    private boolean isUpgrade() {
        return head.header("Upgrade").filter("websocket"::equalsIgnoreCase).isPresent();
    }

    private byte[] bodyBytes() {
        return rawBody.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the bytes to forward. */
    byte[] toBytes() {
        byte[] body = bodyBytes();
        HttpHead kept = head.without(header -> header.startsWith("content-length:")
                || header.startsWith("transfer-encoding:")
                || header.startsWith("http2-settings:")
                || header.equals("upgrade: h2c")
                || (header.startsWith("connection:") && !isUpgrade()));
        byte[] start = (body.length > 0 || !method().equals("GET") ? kept.with("Content-Length: " + body.length) : kept)
                .toBytes();
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return all;
    }
}
