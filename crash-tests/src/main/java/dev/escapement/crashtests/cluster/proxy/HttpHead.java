package dev.escapement.crashtests.cluster.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The start line and the headers of an HTTP message.
 *
 * @param startLine the request line or the status line
 * @param headers as received
 */
record HttpHead(String startLine, List<String> headers) {

    private static final int MAX_LINE_LENGTH = 1 << 20;

    /** Returns empty if the connection was closed before the message. */
    static Optional<HttpHead> read(InputStream in) throws IOException {
        Optional<String> first = readLine(in);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<String> headers = new ArrayList<>();
        for (String line = readLine(in).orElse("");
                !line.isEmpty();
                line = readLine(in).orElse("")) {
            headers.add(line);
        }
        return Optional.of(new HttpHead(first.get(), List.copyOf(headers)));
    }

    static Optional<String> readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return Optional.empty();
            }
            if (c != '\r') {
                line.append((char) c);
            }
            if (line.length() > MAX_LINE_LENGTH) {
                throw new IOException("a line of more than " + MAX_LINE_LENGTH + " characters");
            }
        }
        return Optional.of(line.toString());
    }

    Optional<String> header(String name) {
        String wanted = name.toLowerCase(Locale.ROOT) + ":";
        return headers.stream()
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(wanted))
                .map(header -> header.substring(wanted.length()).strip())
                .findFirst();
    }

    boolean isChunked() {
        return header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent();
    }

    /** Returns the length of the body in bytes, if the header has it. */
    Optional<Long> contentLength() {
        return header("Content-Length").map(Long::valueOf);
    }

    HttpHead without(Predicate<String> unwanted) {
        return new HttpHead(
                startLine,
                headers.stream()
                        .filter(header -> !unwanted.test(header.toLowerCase(Locale.ROOT)))
                        .toList());
    }

    HttpHead with(String header) {
        List<String> more = new ArrayList<>(headers);
        more.add(header);
        return new HttpHead(startLine, more);
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes((startLine + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        headers.forEach(header -> bytes.writeBytes((header + "\r\n").getBytes(StandardCharsets.ISO_8859_1)));
        bytes.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return bytes.toByteArray();
    }
}
