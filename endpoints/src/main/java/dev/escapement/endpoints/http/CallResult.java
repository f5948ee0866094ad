package dev.escapement.endpoints.http;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of a call. All texts can be stored and shown: limited in length, without NUL and unpaired surrogates, and
 * without secrets of the request.
 *
 * @param failure empty after a success: a complete response with status 200 to 299 within the size limit
 * @param statusCode empty without a response
 * @param error shown to users; empty after a success
 * @param excerpt beginning of the response body
 * @param bodyBytes number of body bytes read
 * @param retryAfter the delay that the response requests, if any
 */
public record CallResult(
        Optional<Failure> failure,
        Optional<Integer> statusCode,
        String error,
        String excerpt,
        long bodyBytes,
        Optional<Duration> retryAfter) {

    /** Why a call failed. */
    public enum Failure {
        /** The status is not 200 to 299; redirects are not followed. */
        STATUS,
        /** No complete response within the timeout. */
        TIMEOUT,
        /** The URL is invalid. */
        BAD_URL,
        /** A header, the idempotency key or the signing key is invalid. */
        BAD_REQUEST,
        /** The host name cannot be resolved. */
        UNKNOWN_HOST,
        /** The address may not be called. */
        ADDRESS_DENIED,
        /** The connection failed or was lost. */
        CONNECTION,
        /** The TLS handshake failed. */
        TLS,
        /** The response is not valid HTTP, or its headers are too large. */
        BAD_ANSWER,
        /** The response is larger than allowed. */
        TOO_LARGE,
        /** This server stopped; whether the endpoint processed the call is unknown. */
        ABORTED,
        /** Every worker that started the run stopped before it got a result. */
        LOST
    }

    public boolean isSuccess() {
        return failure.isEmpty();
    }

    /** Returns a failure without a response. */
    public static CallResult failed(Failure failure, String error) {
        return new CallResult(Optional.of(failure), Optional.empty(), error, "", 0, Optional.empty());
    }
}
