package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.http.ResponseReader.ResponseBodyBuffer;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the beginning of a response body into readable text.
 *
 * @param contentType the header's value, empty without
 * @param encoding the header's value, empty without; a compressed body is described, not decompressed
 */
record ResponseExcerpt(String contentType, String encoding) {

    private static final int MAX_TYPE_LENGTH = 100;
    private static final Pattern CHARSET_PARAMETER = Pattern.compile("charset\\s*=\\s*\"?([A-Za-z0-9_-]{1,20})");
    /** Charsets without shift states, so that a cut or forged body cannot switch the meaning of bytes. */
    private static final Pattern SAFE_CHARSETS = Pattern.compile(
            "utf-?8|us-ascii|iso-8859-\\d{1,2}|windows-125\\d|utf-16(le|be)?|shift_jis|euc-jp|euc-kr|gbk|gb18030|big5");

    private static final Pattern BINARY_TYPES =
            Pattern.compile("(image|audio|video|font)/.*|application/(octet-stream|pdf|zip"
                    + "|gzip|x-tar|x-7z-compressed|wasm|x-protobuf|grpc|vnd\\.ms-.*|msword).*");

    /** Returns the number of bytes that suffice for this many characters in every charset. */
    static int maxBytesFor(int chars) {
        return 4 * chars;
    }

    /** @param complete whether the whole body was received */
    String extract(ResponseBodyBuffer body, boolean complete, SecretRedactor redactor, int maxChars) {
        byte[] bytes = body.keptBytes();
        if (bytes.length == 0) {
            return "";
        }
        if (isCompressed()) {
            return describe("compressed with " + SafeText.printable(encoding, MAX_TYPE_LENGTH), body);
        }
        String text = new String(bytes, detectCharset());
        if (isBinary(text)) {
            return describe("binary", body);
        }
        return SafeText.printable(redactor.redact(text, !complete || body.count() > bytes.length), maxChars);
    }

    private String describe(String what, ResponseBodyBuffer body) {
        String type = contentType.isEmpty() ? "" : ", " + SafeText.printable(contentType, MAX_TYPE_LENGTH);
        return "(" + what + type + ", " + body.count() + " bytes)";
    }

    private boolean isCompressed() {
        return !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity");
    }

    private boolean isBinary(String text) {
        String type = contentType.strip().toLowerCase(Locale.ROOT);
        if (BINARY_TYPES.matcher(type).matches() && !type.startsWith("image/svg")) {
            return true;
        }
        long unprintable = text.codePoints()
                .filter(c -> c == SafeText.REPLACEMENT || !SafeText.isPrintable(c))
                .count();
        return unprintable * 10 > text.length() * 3L;
    }

    private Charset detectCharset() {
        Matcher matcher = CHARSET_PARAMETER.matcher(contentType.toLowerCase(Locale.ROOT));
        return Optional.of(matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .filter(name -> SAFE_CHARSETS.matcher(name).matches() && Charset.isSupported(name))
                .map(Charset::forName)
                .orElse(UTF_8);
    }
}
