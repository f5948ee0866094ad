package dev.escapement.server.http.notification;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.governor.Target;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.message.NotificationSeverity;
import dev.escapement.notifications.store.NotificationQueries;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Routes that list and return notifications, and test a channel.
 *
 * @param channels the names of the channels at the moment
 */
public record NotificationRoutes(
        NotificationQueries store, Supplier<SortedSet<String>> channels, TestSender testSender) {

    /** Sends a test notification. */
    @FunctionalInterface
    public interface TestSender {
        /** Sends to a channel and waits for the answer; returns empty if there is no such channel. */
        Optional<DeliveryResult> send(String channel, String actor, Instant now);
    }

    private static final String LIST_PATH = "/api/v1/notifications";

    public List<Route> routes() {
        return List.of(
                Route.get(LIST_PATH, this::list, "phase", "severity", "target", "limit", "continue"),
                Route.get(LIST_PATH + "/{name}", this::get),
                Route.post(Right.ADMIN, LIST_PATH + "/test", this::test));
    }

    /** Returns routes that reject every request, for a server without notifications. */
    public static List<Route> disabled() {
        ApiRequest.Handler reject = request -> {
            throw HttpProblem.of(501, "this server has no notifications");
        };
        return Stream.of(LIST_PATH, LIST_PATH + "/*")
                .flatMap(path -> Stream.of(HandlerType.GET, HandlerType.POST)
                        .map(method -> new Route(method, path, Optional.empty(), reject)))
                .toList();
    }

    private void list(ApiRequest request) {
        NotificationFilter filter = new NotificationFilter(
                request.parameter("phase").map(NotificationRoutes::checkPhase),
                request.parameter("severity").map(NotificationRoutes::checkSeverity),
                request.parameter("target").map(NotificationRoutes::canonical));
        request.respondPage((token, limit) -> store.list(filter, token, limit), notification -> notification);
    }

    private static String checkPhase(String text) {
        return Stream.of(DeliveryPhase.values())
                .map(Enum::name)
                .filter(text::equals)
                .findFirst()
                .orElseThrow(() -> HttpProblem.badRequest(
                        "phase is %s: it must be Pending, Sending, Sent, PartiallySent, Retrying or Failed"
                                .formatted(ApiRequest.quote(text))));
    }

    private static String checkSeverity(String text) {
        return NotificationSeverity.find(text)
                .map(NotificationSeverity::text)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "severity is %s: it must be info, warning or critical".formatted(ApiRequest.quote(text))));
    }

    /** Returns the target as it is stored; one that is not valid is stored as written. */
    private static String canonical(String text) {
        try {
            return Target.parse(text).canonical();
        } catch (IllegalArgumentException asWritten) {
            return text;
        }
    }

    private void get(ApiRequest request) {
        String name = request.pathParameter("name");
        NotificationRequest found = store.find(name)
                .orElseThrow(() -> HttpProblem.notFound(
                        "there is no notification %s: GET /api/v1/notifications lists all; old ones are removed"
                                .formatted(ApiRequest.quote(name))));
        request.respond(200, found);
    }

    private void test(ApiRequest request) throws IOException {
        Map<String, Object> body = request.readBody();
        RequestBodies.rejectUnknown(body, Set.of("channel", "by"));
        String channel = RequestBodies.readText(body, "channel")
                .orElseThrow(() -> HttpProblem.badRequest("channel is missing: it names the channel to test"));
        DeliveryResult result = testSender
                .send(channel, request.actor(body), request.now())
                .orElseThrow(() -> HttpProblem.notFound("there is no channel %s: the channels are %s"
                        .formatted(ApiRequest.quote(channel), String.join(", ", channels.get()))));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("channel", channel);
        answer.put("sent", result.sent());
        answer.put("detail", result.detail());
        request.respond(200, answer);
    }
}
