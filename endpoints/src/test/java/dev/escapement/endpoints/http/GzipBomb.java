package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Creates compressed responses. */
final class GzipBomb {

    private GzipBomb() {}

    /** A few kilobytes that decompress to twenty times the maximum response; each character stands for one byte. */
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
