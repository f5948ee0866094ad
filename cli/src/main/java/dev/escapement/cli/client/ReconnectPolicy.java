package dev.escapement.cli.client;

import dev.escapement.backoff.Backoff;
import dev.escapement.cli.client.ApiException.Kind;
import java.time.Duration;

/** Delays between attempts to reconnect to a server, together one to two minutes: enough for a restart. */
final class ReconnectPolicy {

    static final int MAX_ATTEMPTS = 14;

    private static final Backoff BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(250))
            .max(Duration.ofSeconds(10))
            .build();

    private ReconnectPolicy() {}

    static void sleep(Sleeper sleeper, int attempt) {
        sleeper.sleepOrFail(BACKOFF.delay(attempt), "reconnecting");
    }

    static ApiException connectionLost(ApiClient api) {
        return new ApiException(
                Kind.UNREACHABLE, "connection to " + api.address() + " lost before the end of the response");
    }
}
