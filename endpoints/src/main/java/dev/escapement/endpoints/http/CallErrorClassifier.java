package dev.escapement.endpoints.http;

import dev.escapement.endpoints.guard.AddressDeniedException;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.http.HttpException;

/** Says in plain words why a call broke. */
final class CallErrorClassifier {

    static final String CLIENT_ASSERTION_REASON = "it does not end where it should";

    private static final int MAX_REASON_LENGTH = 200;
    private static final int MAX_CAUSE_DEPTH = 10;
    /** What the client says of a head that ends in the middle. */
    private static final String EARLY_EOF = "Early EOF";

    private CallErrorClassifier() {}

    /** By the first cause that is known, from the outside in. */
    static CallError classify(Throwable thrown, String host) {
        return causes(thrown)
                .flatMap(cause -> classifyCause(cause, host).stream())
                .findFirst()
                .orElseGet(() -> new CallError(Failure.CONNECTION, "the connection to " + host + " broke"));
    }

    /** Whether there was no connection to be had, as opposed to one that was lost. */
    static boolean isConnectFailure(Throwable thrown) {
        return causes(thrown)
                .anyMatch(cause -> cause instanceof SocketException
                        || cause instanceof SocketTimeoutException
                        || cause instanceof RejectedExecutionException);
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSE_DEPTH);
    }

    private static Optional<CallError> classifyCause(Throwable cause, String host) {
        if (cause instanceof AddressDeniedException) {
            return error(Failure.ADDRESS_DENIED, sanitizedMessage(cause));
        }
        if (cause instanceof UnknownHostException) {
            return error(Failure.UNKNOWN_HOST, "the name " + host + " leads nowhere");
        }
        if (cause instanceof SSLException || cause instanceof CertificateException) {
            return error(Failure.TLS, "no trust in " + host + ": " + sanitizedMessage(cause));
        }
        if (cause instanceof HttpException http) {
            return Optional.of(invalidResponse(Objects.requireNonNullElse(http.getReason(), "no reason given"), host));
        }
        if (cause instanceof AssertionError) {
            // Where assertions are on, the client trips over one before it calls such an answer bad.
            return Optional.of(invalidResponse(CLIENT_ASSERTION_REASON, host));
        }
        if (cause instanceof RejectedExecutionException) {
            return error(Failure.CONNECTION, "too many calls to " + host + " wait for a connection or its name");
        }
        return classifyConnectionFailure(cause, host);
    }

    /** Only the reason: the message around it names addresses of the inside. */
    private static CallError invalidResponse(String reason, String host) {
        return reason.equals(EARLY_EOF)
                ? new CallError(Failure.CONNECTION, describeTruncation(host))
                : new CallError(
                        Failure.BAD_ANSWER,
                        "the answer of " + host + " is no HTTP that can be read: "
                                + ResponseTextSanitizer.sanitize(reason, MAX_REASON_LENGTH));
    }

    private static String describeTruncation(String host) {
        return "the answer of " + host + " broke off: the connection was closed, or the body is framed wrongly";
    }

    private static Optional<CallError> classifyConnectionFailure(Throwable cause, String host) {
        if (cause instanceof SocketTimeoutException) {
            return error(Failure.CONNECTION, host + " did not take the connection in time");
        }
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            return error(Failure.CONNECTION, host + " takes no connections: " + sanitizedMessage(cause));
        }
        if (cause instanceof EOFException || cause instanceof ClosedChannelException) {
            return error(Failure.CONNECTION, describeTruncation(host));
        }
        return Optional.empty();
    }

    private static Optional<CallError> error(Failure kind, String words) {
        return Optional.of(new CallError(kind, words));
    }

    /** What the other side had a hand in is cleaned like everything of it. */
    private static String sanitizedMessage(Throwable cause) {
        return ResponseTextSanitizer.sanitize(
                Objects.requireNonNullElse(cause.getMessage(), "no reason given"), MAX_REASON_LENGTH);
    }
}
