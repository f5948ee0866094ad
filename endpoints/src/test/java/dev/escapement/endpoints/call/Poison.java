package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.endpoints.call.Answer.Failure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers that should not be given. Each byte is a character.
 *
 * @param name what is wrong
 * @param first what is sent at once
 * @param then what is sent for ever after it; empty if the connection is closed instead
 * @param slow whether that comes in single drops
 * @param expected what comes of the call; empty for a success
 */
record Poison(String name, String first, String then, boolean slow, Optional<Failure> expected) {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    static Stream<Poison> all() {
        return Stream.of(endless(), drips(), heads(), lengths(), chunks(), bodies(), early())
                .flatMap(List::stream);
    }

    private static List<Poison> endless() {
        String kilobyte = "x".repeat(1024);
        return List.of(
                endless("1 GB body", OK + "Content-Length: 1073741824\r\n\r\n", kilobyte, Failure.TOO_LARGE),
                endless("body until the end of days", OK + "\r\n", kilobyte, Failure.TOO_LARGE),
                endless("endless chunks", CHUNKED, "400\r\n" + kilobyte + "\r\n", Failure.TOO_LARGE),
                endless("one endless chunk", CHUNKED + "7fffffff\r\n", kilobyte, Failure.TOO_LARGE),
                endless("endless error", "HTTP/1.1 500 No\r\n\r\n", kilobyte, Failure.STATUS),
                endless("endless headers", OK, "X-A: b\r\n", Failure.BAD_ANSWER),
                endless("endless header", OK + "X-A: ", kilobyte, Failure.BAD_ANSWER),
                endless("endless header name", OK, kilobyte, Failure.BAD_ANSWER),
                endless("endless cookies", OK, "Set-Cookie: a=b\r\n", Failure.BAD_ANSWER),
                endless("endless reason", "HTTP/1.1 200 ", kilobyte, Failure.BAD_ANSWER),
                endless("endless version", "HTTP/1.1", kilobyte, Failure.BAD_ANSWER),
                endless("endless garbage", "", "\u0000\u00ff\u0013", Failure.BAD_ANSWER),
                endless("endless trailers", CHUNKED + "1\r\nx\r\n0\r\n", "X-A: b\r\n", Failure.CONNECTION));
    }

    private static List<Poison> drips() {
        return List.of(
                slow("silence", "", ""),
                slow("drip of a reason", "HTTP/1.1 200 ", "x"),
                slow("drip of headers", OK, "X"),
                slow("drip of a body", OK + "Content-Length: 1000000\r\n\r\n", "x"),
                slow("drip of chunks", CHUNKED, "1\r\nx\r\n"),
                slow("drip of a chunk's extension", CHUNKED + "1;", "x"),
                slow("drip of line ends", "", "\r\n"),
                slow("flood of 102", "", "HTTP/1.1 102 Processing\r\n\r\n"),
                slow("flood of 103", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
                slow("one 100, then silence", "HTTP/1.1 100 Continue\r\n\r\n", ""),
                slow("head, then silence", OK + "Content-Length: 5\r\n\r\n", ""));
    }

    private static List<Poison> heads() {
        return List.of(
                bad("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", Failure.BAD_ANSWER),
                bad("TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003", Failure.BAD_ANSWER),
                bad("HTTP/0.9", "<html>hello</html>\n", Failure.BAD_ANSWER),
                bad("HTTP/9.9", "HTTP/9.9 200 OK\r\n\r\n", Failure.BAD_ANSWER),
                bad("status of letters", "HTTP/1.1 abc OK\r\n\r\n", Failure.BAD_ANSWER),
                bad("status of one digit", "HTTP/1.1 2 OK\r\n\r\n", Failure.BAD_ANSWER),
                bad("status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", Failure.BAD_ANSWER),
                bad("101", "HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n", Failure.BAD_ANSWER),
                bad("NUL in a header", OK + "X-A: a\u0000b\r\nContent-Length: 0\r\n\r\n", Failure.BAD_ANSWER),
                bad("name with a space", OK + "X A: b\r\nContent-Length: 0\r\n\r\n", Failure.BAD_ANSWER),
                bad("many headers", OK + "a:b\r\n".repeat(20_000) + "\r\n", Failure.BAD_ANSWER));
    }

    private static List<Poison> lengths() {
        return List.of(
                bad("length too long", OK + "Content-Length: 10\r\n\r\nhello", Failure.CONNECTION),
                bad("negative length", OK + "Content-Length: -1\r\n\r\nhello", Failure.BAD_ANSWER),
                bad("length of letters", OK + "Content-Length: ten\r\n\r\nhello", Failure.BAD_ANSWER),
                bad("monstrous length", OK + "Content-Length: 99999999999999999999\r\n\r\nx", Failure.BAD_ANSWER),
                bad("two lengths", OK + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", Failure.BAD_ANSWER),
                good("length too short", OK + "Content-Length: 2\r\n\r\nhello"),
                good("two answers", RawServer.ok("one") + RawServer.ok("smuggled")));
    }

    /**
     * Once the head is complete, the client tells no difference between a body that breaks off and one that is framed
     * wrongly.
     */
    private static List<Poison> chunks() {
        return List.of(
                bad("chunk without a size", CHUNKED + "\r\n\r\n", Failure.CONNECTION),
                bad("chunk of letters", CHUNKED + "zz\r\nhello\r\n0\r\n\r\n", Failure.CONNECTION),
                bad("negative chunk", CHUNKED + "-5\r\nhello\r\n0\r\n\r\n", Failure.CONNECTION),
                bad("monstrous chunk", CHUNKED + "ffffffffffffffffff\r\nhello\r\n", Failure.CONNECTION),
                bad("chunk without an end", CHUNKED + "5\r\nhelloXX0\r\n\r\n", Failure.CONNECTION),
                bad("chunks that stop", CHUNKED + "5\r\nhello\r\n", Failure.CONNECTION),
                bad("chunk that stops", CHUNKED + "5\r\nhe", Failure.CONNECTION));
    }

    private static List<Poison> bodies() {
        return List.of(
                good("NUL in JSON", json("{\"a\":\"\u0000\u0001\"}")),
                good("broken UTF-8", json("{\"a\":\"\u00c3(\u00ed\u00a0\u0080\u00ff\u00fe and more text here\"}")),
                good("unknown charset", OK + "Content-Type: text/plain;charset=klingon\r\n\r\nhello"),
                good("dangerous charset", OK + "Content-Type: text/plain;charset=utf-7\r\n\r\n+ADw-script+AD4-"),
                good(
                        "half of UTF-16",
                        OK + "Content-Type: text/plain;charset=utf-16be\r\n\r\n\u0000a\u00d8\u0000\u0000"),
                good("type that is no type", OK + "Content-Type: \u00ff[31m/;;;=\r\n\r\nhello"),
                good("terminal codes", OK + "\r\n\u001b]0;owned\u0007\u001b[2Jhello\u009b and more of it"),
                good("binary", OK + "\r\n" + "\u0000\u0001\u0002\u00ff\u00fe".repeat(1000)),
                good("gzip that is none", OK + "Content-Encoding: gzip\r\n\r\nhello"),
                good("gzip bomb", OK + "Content-Encoding: gzip\r\n\r\n" + Gzip.bomb()));
    }

    private static List<Poison> early() {
        return List.of(
                bad("nothing at all", "", Failure.CONNECTION),
                bad("half a status", "HTTP/1.1 20", Failure.CONNECTION),
                bad("half a header", OK + "Content-Le", Failure.CONNECTION),
                bad("head without its end", OK + "X-A: b\r\n", Failure.CONNECTION));
    }

    private static String json(String body) {
        return OK + "Content-Type: application/json\r\n\r\n" + body;
    }

    private static Poison endless(String name, String first, String then, Failure expected) {
        return new Poison(name, first, then, false, Optional.of(expected));
    }

    private static Poison slow(String name, String first, String then) {
        return new Poison(name, first, then, true, Optional.of(Failure.TIMEOUT));
    }

    private static Poison bad(String name, String first, Failure expected) {
        return new Poison(name, first, "", false, Optional.of(expected));
    }

    private static Poison good(String name, String first) {
        return new Poison(name, first, "", false, Optional.empty());
    }

    byte[] firstBytes() {
        return first.getBytes(ISO_8859_1);
    }

    byte[] thenBytes() {
        return then.getBytes(ISO_8859_1);
    }

    @Override
    public String toString() {
        return name;
    }
}
