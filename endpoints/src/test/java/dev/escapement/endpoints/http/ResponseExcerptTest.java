package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.ResponseReader.ResponseBodyBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseExcerptTest {

    private static final SecretRedactor NO_SECRETS = SecretRedactor.forRequest(Map.of(), Optional.empty());

    private static String extract(String type, byte[] bytes, int longest) {
        ResponseBodyBuffer body = new ResponseBodyBuffer(ResponseExcerpt.maxBytesFor(longest));
        body.add(ByteBuffer.wrap(bytes));
        return new ResponseExcerpt(type, "").extract(body, true, NO_SECRETS, longest);
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain;charset=ISO-8859-1,ISO-8859-1",
        "text/plain; charset=\"windows-1252\",windows-1252",
        "text/plain;charset=utf-16be,UTF-16BE",
        "text/plain;charset=UTF-8,UTF-8",
        "text/plain,UTF-8",
        "'',UTF-8",
        "text/plain;charset=utf-7,UTF-8",
        "text/plain;charset=iso-2022-jp,UTF-8",
        "text/plain;charset=../../x,UTF-8",
    })
    void usesDeclaredCharsetOnlyIfSafe(String type, String charset) {
        assertThat(extract(type, "grüße".getBytes(Charset.forName(charset)), 100))
                .isEqualTo("grüße");
    }

    @Test
    void cutsBetweenCharacters() {
        assertThat(extract("", "ab😀cd".getBytes(UTF_8), 3)).isEqualTo("ab");
        assertThat(extract("", "ab😀cd".getBytes(UTF_8), 4)).isEqualTo("ab😀");
        assertThat(extract("", "€".repeat(5000).getBytes(UTF_8), 2048)).isEqualTo("€".repeat(2048));
        assertThat(extract("", "😀".repeat(5000).getBytes(UTF_8), 2048)).isEqualTo("😀".repeat(1024));
    }

    @Test
    void replacesUnstorableAndBidiCharacters() {
        assertThat(extract("", "a\u0000b\u001bc\u009bd\u202ee\uFFFFf line\n\ttab and more".getBytes(UTF_8), 100))
                .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf line\n\ttab and more");
        byte[] surrogates = "text \u00ed\u00a0\u0080 text that is longer".getBytes(ISO_8859_1);
        assertThat(extract("", surrogates, 100)).startsWith("text \uFFFD").endsWith(" text that is longer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "application/octet-stream", "APPLICATION/PDF", "video/mp4", "application/zip"})
    void describesBinaryContentTypes(String type) {
        assertThat(extract(type, new byte[7], 100)).isEqualTo("(binary, " + type + ", 7 bytes)");
    }

    @Test
    void describesUndeclaredBinaryContent() {
        byte[] noise = new byte[500];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) (i * 37);
        }
        assertThat(extract("text/html", noise, 100)).isEqualTo("(binary, text/html, 500 bytes)");
        assertThat(extract("image/svg+xml", "<svg/>".getBytes(UTF_8), 100)).isEqualTo("<svg/>");
    }

    @Test
    void doesNotDecompress() {
        ResponseBodyBuffer body = new ResponseBodyBuffer(100);
        body.add(ByteBuffer.wrap(new byte[300]));
        assertThat(new ResponseExcerpt("text/html", "gzip").extract(body, true, NO_SECRETS, 100))
                .isEqualTo("(compressed with gzip, text/html, 300 bytes)");
    }

    @Test
    void redactsSecretAtTheCut() {
        SecretRedactor redaction = SecretRedactor.forRequest(Map.of("X-Key", "k".repeat(5000)), Optional.empty());
        ResponseBodyBuffer body = new ResponseBodyBuffer(ResponseExcerpt.maxBytesFor(10 + redaction.maxSecretLength()));
        body.add(ByteBuffer.wrap(("12345" + "k".repeat(5000) + "after").getBytes(UTF_8)));
        assertThat(new ResponseExcerpt("", "").extract(body, true, redaction, 10))
                .isEqualTo("12345(not ");
    }

    private static String excerptOf(String text, String secret, boolean complete) {
        SecretRedactor redactor = SecretRedactor.forRequest(Map.of("X-Key", secret), Optional.empty());
        ResponseBodyBuffer body = new ResponseBodyBuffer(ResponseExcerpt.maxBytesFor(100 + redactor.maxSecretLength()));
        body.add(ByteBuffer.wrap(text.getBytes(UTF_8)));
        return new ResponseExcerpt("", "").extract(body, complete, redactor, 100);
    }

    @Test
    void dropsSecretThatTheEndOfTheKeptBytesCuts() {
        String secret = "0123456789abcdef".repeat(10);
        // Redaction shortens the text, so its end, half an echo, comes into view.
        assertThat(excerptOf(secret.repeat(30), secret, true)).isEqualTo("(not shown)".repeat(6));
        assertThat(excerptOf("xy" + secret.repeat(3), secret, true)).isEqualTo("xy" + "(not shown)".repeat(3));
    }

    @Test
    void dropsBeginningOfSecretAtTheEndOfAnIncompleteBody() {
        assertThat(excerptOf("token: 0123456", "0123456789", false)).isEqualTo("token: ");
        assertThat(excerptOf("token: 0123456", "0123456789", true)).isEqualTo("token: 0123456");
    }

    @Test
    void keepsOnlyFirstBytes() {
        ResponseBodyBuffer body = new ResponseBodyBuffer(10);
        for (int i = 0; i < 1000; i++) {
            assertThat(body.add(ByteBuffer.wrap(new byte[7]))).isEqualTo(7L * (i + 1));
        }
        assertThat(body.keptBytes()).hasSize(10);
        assertThat(body.count()).isEqualTo(7000);
    }
}
