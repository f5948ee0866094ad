package dev.escapement.endpoints.http;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.guard.GuardedAddressResolver.AddressDeniedException;
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

/**
 * Why a call failed.
 *
 * @param message shown to users
 */
record CallError(Failure kind, String message) {

    static final String CLIENT_ASSERTION_REASON = "wrong length";

    private static final int MAX_REASON_LENGTH = 200;
    private static final int MAX_CAUSE_DEPTH = 10;
    /** Jetty's reason for a response head that ends too early. */
    private static final String EARLY_EOF = "Early EOF";

    /** Classifies an exception of the HTTP client by its first known cause, outermost first. */
    static CallError classify(Throwable thrown, String host) {
        return causes(thrown)
                .flatMap(cause -> classifyCause(cause, host).stream())
                .findFirst()
                .orElseGet(() -> new CallError(Failure.CONNECTION, "the connection to " + host + " failed"));
    }

    /** Whether no connection could be made, as opposed to an established connection that was lost. */
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
            return error(Failure.UNKNOWN_HOST, "host name " + host + " cannot be resolved");
        }
        if (cause instanceof SSLException || cause instanceof CertificateException) {
            return error(Failure.TLS, "TLS connection to " + host + " failed: " + sanitizedMessage(cause));
        }
        if (cause instanceof HttpException http) {
            return Optional.of(invalidResponse(Objects.requireNonNullElse(http.getReason(), "no reason given"), host));
        }
        if (cause instanceof AssertionError) {
            // With assertions enabled, Jetty fails one before it rejects such a response.
            return Optional.of(invalidResponse(CLIENT_ASSERTION_REASON, host));
        }
        if (cause instanceof RejectedExecutionException) {
            return error(Failure.CONNECTION, "too many calls to " + host + " wait for a connection or a DNS lookup");
        }
        return classifyConnectionFailure(cause, host);
    }

    /** Uses only the reason: the whole message contains internal addresses. */
    private static CallError invalidResponse(String reason, String host) {
        return reason.equals(EARLY_EOF)
                ? new CallError(Failure.CONNECTION, describeTruncation(host))
                : new CallError(
                        Failure.BAD_ANSWER,
                        "the response of " + host + " is not valid HTTP: "
                                + SafeText.printable(reason, MAX_REASON_LENGTH));
    }

    private static String describeTruncation(String host) {
        return "the response of " + host + " is incomplete: the connection was closed, or the body is framed wrongly";
    }

    private static Optional<CallError> classifyConnectionFailure(Throwable cause, String host) {
        if (cause instanceof SocketTimeoutException) {
            return error(Failure.CONNECTION, host + " did not accept the connection in time");
        }
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            return error(Failure.CONNECTION, host + " does not accept connections: " + sanitizedMessage(cause));
        }
        if (cause instanceof EOFException || cause instanceof ClosedChannelException) {
            return error(Failure.CONNECTION, describeTruncation(host));
        }
        return Optional.empty();
    }

    private static Optional<CallError> error(Failure kind, String message) {
        return Optional.of(new CallError(kind, message));
    }

    /** The remote side may control parts of the message. */
    private static String sanitizedMessage(Throwable cause) {
        return SafeText.printable(Objects.requireNonNullElse(cause.getMessage(), "no reason given"), MAX_REASON_LENGTH);
    }
}
