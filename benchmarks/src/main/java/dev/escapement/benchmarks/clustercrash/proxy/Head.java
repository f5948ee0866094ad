package dev.escapement.benchmarks.clustercrash.proxy;

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
 * The beginning of an HTTP message.
 *
 * @param first the request line or the status line
 * @param headers as they came
 */
record Head(String first, List<String> headers) {

    private static final int LONGEST = 1 << 20;

    /** Empty if the connection ended where a message may begin. */
    static Optional<Head> read(InputStream in) throws IOException {
        Optional<String> first = line(in);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<String> headers = new ArrayList<>();
        for (String line = line(in).orElse(""); !line.isEmpty(); line = line(in).orElse("")) {
            headers.add(line);
        }
        return Optional.of(new Head(first.get(), List.copyOf(headers)));
    }

    static Optional<String> line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return Optional.empty();
            }
            if (c != '\r') {
                line.append((char) c);
            }
            if (line.length() > LONGEST) {
                throw new IOException("a line of more than " + LONGEST + " characters");
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

    /** Bytes of the body, if that is how its end is told. */
    Optional<Long> length() {
        return header("Content-Length").map(Long::valueOf);
    }

    Head without(Predicate<String> unwanted) {
        return new Head(
                first,
                headers.stream()
                        .filter(header -> !unwanted.test(header.toLowerCase(Locale.ROOT)))
                        .toList());
    }

    Head with(String header) {
        List<String> more = new ArrayList<>(headers);
        more.add(header);
        return new Head(first, more);
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes((first + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        headers.forEach(header -> bytes.writeBytes((header + "\r\n").getBytes(StandardCharsets.ISO_8859_1)));
        bytes.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return bytes.toByteArray();
    }
}
