package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the beginning of a body into text that people can read, whatever it is.
 *
 * @param contentType as the answer says, empty if it does not
 * @param encoding as the answer says, empty if it does not; what is packed is not unpacked
 */
record Excerpt(String contentType, String encoding) {

    private static final int LONGEST_TYPE = 100;
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([A-Za-z0-9_-]{1,20})");
    /** Those that read every byte in one way only, without switching in the middle. */
    private static final Pattern PLAIN = Pattern.compile(
            "utf-?8|us-ascii|iso-8859-\\d{1,2}|windows-125\\d|utf-16(le|be)?|shift_jis|euc-jp|euc-kr|gbk|gb18030|big5");

    private static final Pattern BINARY =
            Pattern.compile("(image|audio|video|font)/.*|application/(octet-stream|pdf|zip"
                    + "|gzip|x-tar|x-7z-compressed|wasm|x-protobuf|grpc|vnd\\.ms-.*|msword).*");

    /** How many bytes are needed for this many characters, whatever the charset. */
    static int bytesFor(int chars) {
        return 4 * chars;
    }

    /** At most so many characters. */
    String of(Body body, Redaction redaction, int longest) {
        byte[] beginning = body.beginning();
        if (beginning.length == 0) {
            return "";
        }
        if (isPacked()) {
            return description("compressed with " + Texts.clean(encoding, LONGEST_TYPE), body);
        }
        String text = new String(beginning, charset());
        if (isBinary(text)) {
            return description("binary", body);
        }
        return Texts.clean(redaction.apply(text), longest);
    }

    private String description(String what, Body body) {
        String type = contentType.isEmpty() ? "" : ", " + Texts.clean(contentType, LONGEST_TYPE);
        return "(" + what + type + ", " + body.count() + " bytes)";
    }

    private boolean isPacked() {
        return !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity");
    }

    private boolean isBinary(String text) {
        String type = contentType.strip().toLowerCase(Locale.ROOT);
        if (BINARY.matcher(type).matches() && !type.startsWith("image/svg")) {
            return true;
        }
        long strange = text.codePoints()
                .filter(c -> c == Texts.REPLACEMENT || !Texts.isFit(c))
                .count();
        return strange * 10 > text.length() * 3L;
    }

    private Charset charset() {
        Matcher matcher = CHARSET.matcher(contentType.toLowerCase(Locale.ROOT));
        return Optional.of(matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .filter(name -> PLAIN.matcher(name).matches() && Charset.isSupported(name))
                .map(Charset::forName)
                .orElse(UTF_8);
    }
}
