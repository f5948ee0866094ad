package dev.escapement.endpoints.call;

import dev.escapement.endpoints.call.Answer.Failure;
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
final class Failures {

    static final String TRIPPED = "it does not end where it should";

    private static final int LONGEST = 200;
    private static final int DEEPEST = 10;
    /** What the client says of a head that ends in the middle. */
    private static final String EARLY = "Early EOF";

    private Failures() {}

    /** By the first cause that is known, from the outside in. */
    static Flaw of(Throwable thrown, String host) {
        return causes(thrown)
                .flatMap(cause -> known(cause, host).stream())
                .findFirst()
                .orElseGet(() -> new Flaw(Failure.CONNECTION, "the connection to " + host + " broke"));
    }

    /** Whether there was no connection to be had, as opposed to one that was lost. */
    static boolean isRefusal(Throwable thrown) {
        return causes(thrown)
                .anyMatch(cause -> cause instanceof SocketException
                        || cause instanceof SocketTimeoutException
                        || cause instanceof RejectedExecutionException);
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
    }

    private static Optional<Flaw> known(Throwable cause, String host) {
        if (cause instanceof AddressDenied) {
            return flaw(Failure.ADDRESS_DENIED, reason(cause));
        }
        if (cause instanceof UnknownHostException) {
            return flaw(Failure.UNKNOWN_HOST, "the name " + host + " leads nowhere");
        }
        if (cause instanceof SSLException || cause instanceof CertificateException) {
            return flaw(Failure.TLS, "no trust in " + host + ": " + reason(cause));
        }
        if (cause instanceof HttpException http) {
            return Optional.of(answer(Objects.requireNonNullElse(http.getReason(), "no reason given"), host));
        }
        if (cause instanceof AssertionError) {
            // Where assertions are on, the client trips over one before it calls such an answer bad.
            return Optional.of(answer(TRIPPED, host));
        }
        if (cause instanceof RejectedExecutionException) {
            return flaw(Failure.CONNECTION, "too many calls to " + host + " wait for a connection or its name");
        }
        return connection(cause, host);
    }

    /** Only the reason: the message around it names addresses of the inside. */
    private static Flaw answer(String reason, String host) {
        return reason.equals(EARLY)
                ? new Flaw(Failure.CONNECTION, brokenOff(host))
                : new Flaw(
                        Failure.BAD_ANSWER,
                        "the answer of " + host + " is no HTTP that can be read: " + Texts.clean(reason, LONGEST));
    }

    private static String brokenOff(String host) {
        return "the answer of " + host + " broke off: the connection was closed, or the body is framed wrongly";
    }

    private static Optional<Flaw> connection(Throwable cause, String host) {
        if (cause instanceof SocketTimeoutException) {
            return flaw(Failure.CONNECTION, host + " did not take the connection in time");
        }
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            return flaw(Failure.CONNECTION, host + " takes no connections: " + reason(cause));
        }
        if (cause instanceof EOFException || cause instanceof ClosedChannelException) {
            return flaw(Failure.CONNECTION, brokenOff(host));
        }
        return Optional.empty();
    }

    private static Optional<Flaw> flaw(Failure kind, String words) {
        return Optional.of(new Flaw(kind, words));
    }

    /** What the other side had a hand in is cleaned like everything of it. */
    private static String reason(Throwable cause) {
        return Texts.clean(Objects.requireNonNullElse(cause.getMessage(), "no reason given"), LONGEST);
    }
}
