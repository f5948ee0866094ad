package dev.escapement.endpoints.http;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of a call. Every text in it is fit to be stored and shown: bounded, without NUL and without halves of
 * characters, and without anything of the request that could be a secret.
 *
 * @param failure empty if it went well: a status from 200 to 299, the answer complete and within its bounds
 * @param statusCode of the answer, if there was one
 * @param error what went wrong, for people; empty if nothing did
 * @param excerpt the beginning of the answer
 * @param bodyBytes how many bytes of the body were read
 * @param retryAfter how long the other side asks to be left alone, if it does
 */
public record CallResult(
        Optional<Failure> failure,
        Optional<Integer> statusCode,
        String error,
        String excerpt,
        long bodyBytes,
        Optional<Duration> retryAfter) {

    /** Why a call did not go well. */
    public enum Failure {
        /** The status was none from 200 to 299; redirects are not followed. */
        STATUS,
        /** It took longer than its timeout. */
        TIMEOUT,
        /** The URL cannot be called. */
        BAD_URL,
        /** The headers, the idempotency key or the signing key cannot be sent. */
        BAD_REQUEST,
        /** The name leads nowhere. */
        UNKNOWN_HOST,
        /** The address is not one that may be called. */
        ADDRESS_DENIED,
        /** No connection, or it broke. */
        CONNECTION,
        /** No trust. */
        TLS,
        /** The answer is no HTTP, or has headers without end. */
        BAD_ANSWER,
        /** The answer is longer than allowed. */
        TOO_LARGE,
        /** This program stopped; whether the other side acted is not known. */
        ABORTED,
        /** Every worker that began it ended before it had an answer. */
        LOST
    }

    /** Whether it went well. */
    public boolean isSuccess() {
        return failure.isEmpty();
    }

    /** A call without an answer. */
    public static CallResult failed(Failure failure, String error) {
        return new CallResult(Optional.of(failure), Optional.empty(), error, "", 0, Optional.empty());
    }
}
