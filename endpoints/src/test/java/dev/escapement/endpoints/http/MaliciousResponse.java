package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.endpoints.http.CallResult.Failure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A malicious HTTP response; each character stands for one byte.
 *
 * @param name describes the response
 * @param first sent first
 * @param repeated sent endlessly after it; empty to close the connection instead
 * @param slow whether it is sent slowly, in small chunks
 * @param expected failure of the call; empty for a success
 * @param surplus whether bytes follow the complete response. Jetty closes the connection then, which fails the call if
 *     its request is not completely sent yet from the view of the client
 */
record MaliciousResponse(
        String name, String first, String repeated, boolean slow, Optional<Failure> expected, boolean surplus) {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    static Stream<MaliciousResponse> all() {
        return Stream.of(
                        endlessResponses(),
                        slowResponses(),
                        badHeads(),
                        badLengths(),
                        badChunks(),
                        strangeBodies(),
                        truncatedResponses())
                .flatMap(List::stream);
    }

    private static List<MaliciousResponse> endlessResponses() {
        String kilobyte = "x".repeat(1024);
        return List.of(
                endlessResponses("1 GB body", OK + "Content-Length: 1073741824\r\n\r\n", kilobyte, Failure.TOO_LARGE),
                endlessResponses("body until the end of days", OK + "\r\n", kilobyte, Failure.TOO_LARGE),
                endlessResponses("endless chunks", CHUNKED, "400\r\n" + kilobyte + "\r\n", Failure.TOO_LARGE),
                endlessResponses("one endless chunk", CHUNKED + "7fffffff\r\n", kilobyte, Failure.TOO_LARGE),
                endlessResponses("endless error", "HTTP/1.1 500 No\r\n\r\n", kilobyte, Failure.STATUS),
                endlessResponses("endless headers", OK, "X-A: b\r\n", Failure.BAD_ANSWER),
                endlessResponses("endless header", OK + "X-A: ", kilobyte, Failure.BAD_ANSWER),
                endlessResponses("endless header name", OK, kilobyte, Failure.BAD_ANSWER),
                endlessResponses("endless cookies", OK, "Set-Cookie: a=b\r\n", Failure.BAD_ANSWER),
                endlessResponses("endless reason", "HTTP/1.1 200 ", kilobyte, Failure.BAD_ANSWER),
                endlessResponses("endless version", "HTTP/1.1", kilobyte, Failure.BAD_ANSWER),
                endlessResponses("endless garbage", "", "\u0000\u00ff\u0013", Failure.BAD_ANSWER),
                endlessResponses("endless trailers", CHUNKED + "1\r\nx\r\n0\r\n", "X-A: b\r\n", Failure.CONNECTION));
    }

    private static List<MaliciousResponse> slowResponses() {
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

    private static List<MaliciousResponse> badHeads() {
        return List.of(
                failingResponse("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", Failure.BAD_ANSWER),
                failingResponse(
                        "TLS",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                        Failure.BAD_ANSWER),
                failingResponse("HTTP/0.9", "<html>hello</html>\n", Failure.BAD_ANSWER),
                failingResponse("HTTP/9.9", "HTTP/9.9 200 OK\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("status of letters", "HTTP/1.1 abc OK\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("status of one digit", "HTTP/1.1 2 OK\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("101", "HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse(
                        "NUL in a header", OK + "X-A: a\u0000b\r\nContent-Length: 0\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("name with a space", OK + "X A: b\r\nContent-Length: 0\r\n\r\n", Failure.BAD_ANSWER),
                failingResponse("many headers", OK + "a:b\r\n".repeat(20_000) + "\r\n", Failure.BAD_ANSWER));
    }

    private static List<MaliciousResponse> badLengths() {
        return List.of(
                failingResponse("length too long", OK + "Content-Length: 10\r\n\r\nhello", Failure.CONNECTION),
                failingResponse("negative length", OK + "Content-Length: -1\r\n\r\nhello", Failure.BAD_ANSWER),
                failingResponse("length of letters", OK + "Content-Length: ten\r\n\r\nhello", Failure.BAD_ANSWER),
                failingResponse(
                        "monstrous length", OK + "Content-Length: 99999999999999999999\r\n\r\nx", Failure.BAD_ANSWER),
                failingResponse(
                        "two lengths", OK + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", Failure.BAD_ANSWER),
                responseWithSurplus("length too short", OK + "Content-Length: 2\r\n\r\nhello"),
                responseWithSurplus(
                        "two answers", ScriptedServer.okResponse("one") + ScriptedServer.okResponse("smuggled")));
    }

    /** After a complete head, Jetty does not distinguish an incomplete body from one that is framed wrongly. */
    private static List<MaliciousResponse> badChunks() {
        return List.of(
                failingResponse("chunk without a size", CHUNKED + "\r\n\r\n", Failure.CONNECTION),
                failingResponse("chunk of letters", CHUNKED + "zz\r\nhello\r\n0\r\n\r\n", Failure.CONNECTION),
                failingResponse("negative chunk", CHUNKED + "-5\r\nhello\r\n0\r\n\r\n", Failure.CONNECTION),
                failingResponse("monstrous chunk", CHUNKED + "ffffffffffffffffff\r\nhello\r\n", Failure.CONNECTION),
                failingResponse("chunk without an end", CHUNKED + "5\r\nhelloXX0\r\n\r\n", Failure.CONNECTION),
                failingResponse("chunks that stop", CHUNKED + "5\r\nhello\r\n", Failure.CONNECTION),
                failingResponse("chunk that stops", CHUNKED + "5\r\nhe", Failure.CONNECTION));
    }

    private static List<MaliciousResponse> strangeBodies() {
        return List.of(
                acceptedResponse("NUL in JSON", json("{\"a\":\"\u0000\u0001\"}")),
                acceptedResponse(
                        "broken UTF-8", json("{\"a\":\"\u00c3(\u00ed\u00a0\u0080\u00ff\u00fe and more text here\"}")),
                acceptedResponse("unknown charset", OK + "Content-Type: text/plain;charset=klingon\r\n\r\nhello"),
                acceptedResponse(
                        "dangerous charset", OK + "Content-Type: text/plain;charset=utf-7\r\n\r\n+ADw-script+AD4-"),
                acceptedResponse(
                        "half of UTF-16",
                        OK + "Content-Type: text/plain;charset=utf-16be\r\n\r\n\u0000a\u00d8\u0000\u0000"),
                acceptedResponse("type that is no type", OK + "Content-Type: \u00ff[31m/;;;=\r\n\r\nhello"),
                acceptedResponse("terminal codes", OK + "\r\n\u001b]0;owned\u0007\u001b[2Jhello\u009b and more of it"),
                acceptedResponse("binary", OK + "\r\n" + "\u0000\u0001\u0002\u00ff\u00fe".repeat(1000)),
                acceptedResponse("gzip that is none", OK + "Content-Encoding: gzip\r\n\r\nhello"),
                acceptedResponse("gzip bomb", OK + "Content-Encoding: gzip\r\n\r\n" + GzipBomb.create()));
    }

    private static List<MaliciousResponse> truncatedResponses() {
        return List.of(
                failingResponse("nothing at all", "", Failure.CONNECTION),
                failingResponse("half a status", "HTTP/1.1 20", Failure.CONNECTION),
                failingResponse("half a header", OK + "Content-Le", Failure.CONNECTION),
                failingResponse("head without its end", OK + "X-A: b\r\n", Failure.CONNECTION));
    }

    private static String json(String body) {
        return OK + "Content-Type: application/json\r\n\r\n" + body;
    }

    private static MaliciousResponse endlessResponses(String name, String first, String then, Failure expected) {
        return new MaliciousResponse(name, first, then, false, Optional.of(expected), false);
    }

    private static MaliciousResponse slow(String name, String first, String then) {
        return new MaliciousResponse(name, first, then, true, Optional.of(Failure.TIMEOUT), false);
    }

    private static MaliciousResponse failingResponse(String name, String first, Failure expected) {
        return new MaliciousResponse(name, first, "", false, Optional.of(expected), false);
    }

    private static MaliciousResponse acceptedResponse(String name, String first) {
        return new MaliciousResponse(name, first, "", false, Optional.empty(), false);
    }

    private static MaliciousResponse responseWithSurplus(String name, String first) {
        return new MaliciousResponse(name, first, "", false, Optional.empty(), true);
    }

    /** Returns whether a call may end with this failure, or with success if it is empty. */
    boolean allows(Optional<Failure> failure) {
        return failure.equals(expected) || (surplus && failure.equals(Optional.of(Failure.CONNECTION)));
    }

    byte[] firstBytes() {
        return first.getBytes(ISO_8859_1);
    }

    byte[] repeatedBytes() {
        return repeated.getBytes(ISO_8859_1);
    }

    @Override
    public String toString() {
        return name;
    }
}
