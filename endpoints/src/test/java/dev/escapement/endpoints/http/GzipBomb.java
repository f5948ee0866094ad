package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Packs. */
final class GzipBomb {

    private GzipBomb() {}

    /** A few kilobytes that unpack to twenty times of what an answer may have; each byte is a character. */
    static String create() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(new byte[20 << 20]);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toString(ISO_8859_1);
    }
}
