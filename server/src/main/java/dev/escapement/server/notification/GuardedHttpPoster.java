package dev.escapement.server.notification;

import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.notifications.channel.HttpPoster;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts with the client of the endpoints, which checks every address when it connects and follows no redirects.
 *
 * @param timeout for DNS lookup, connect, request and response together
 */
public record GuardedHttpPoster(CallDispatcher dispatcher, Duration timeout) implements HttpPoster {

    /** The dispatcher reports a timeout itself; this only limits the effect of a bug. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    @Override
    public HttpReply post(HttpPost post) {
        CompletableFuture<CallResult> result = new CompletableFuture<>();
        CallRequest request = new CallRequest(
                post.url().reveal(), CallRequest.Method.POST, post.headers(), post.body(), timeout, post.signingKeys());
        dispatcher.dispatch(request, post.id(), result::complete);
        try {
            CallResult answer = result.get(timeout.plus(MARGIN).toNanos(), TimeUnit.NANOSECONDS);
            return new HttpReply(answer.statusCode(), answer.error(), answer.retryAfter());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return failed("this server stopped during the call");
        } catch (ExecutionException | TimeoutException bug) {
            return failed("no result of the call");
        }
    }

    private static HttpReply failed(String error) {
        return new HttpReply(Optional.empty(), error, Optional.empty());
    }
}
