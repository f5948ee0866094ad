package dev.escapement.server.http.audit;

import static dev.escapement.server.http.ApiRequest.quote;
import static io.javalin.http.HandlerType.GET;
import static io.javalin.http.HandlerType.POST;

import dev.escapement.api.DocumentList;
import dev.escapement.api.audit.AuditDeadLetter;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.api.audit.AuditVerification;
import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import dev.escapement.notifications.audit.AuditTrail.AuditFilter;
import dev.escapement.notifications.audit.ChainEntry;
import dev.escapement.notifications.audit.ChainProblem;
import dev.escapement.notifications.audit.TrailVerifier;
import dev.escapement.notifications.audit.sink.DeadLetter;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes that list, return and verify entries of the audit trail. */
public record AuditRoutes(AuditRouteContext audit) {

    private static final Logger LOG = LoggerFactory.getLogger(AuditRoutes.class);

    private static final String[] LIST_PARAMETERS = {
        "target", "execution", "type", "actor", "since", "until", "limit", "continue"
    };

    /** An export or a verification reads the trail in requests of this size, so that none takes long. */
    private static final int MAX_EXPORTED = 1_000;

    private static final int MAX_VERIFIED = 100_000;

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/audit", this::list, LIST_PARAMETERS),
                Route.get("/api/v1/audit/export", this::export, "after", "limit"),
                Route.get("/api/v1/audit/checkpoints", this::listCheckpoints),
                Route.get("/api/v1/audit/verification", this::verify, "after", "hash", "limit"),
                Route.get("/api/v1/audit/dead-letters", this::listDeadLetters, "after", "limit"),
                Route.post(Right.ADMIN, "/api/v1/audit/dead-letters/replay", this::replay),
                Route.get("/api/v1/audit/{id}", this::get));
    }

    /** Returns routes that reject every request because there is no trail. */
    public static List<Route> disabled() {
        return rejecting(
                "this operator has no audit trail: set database to keep one, or audit.sink.url to send the records to"
                        + " another system");
    }

    /**
     * Returns routes for records that are only sent to a sink: those of the refused ones, and for the rest such that
     * reject every request.
     *
     * @param letters returns the refused records after a number, at most so many
     * @param replay marks all refused records to be sent again and returns how many
     */
    public static List<Route> ofSink(BiFunction<Long, Integer, List<DeadLetter>> letters, IntSupplier replay) {
        return Stream.concat(
                        Stream.of(
                                Route.get(
                                        "/api/v1/audit/dead-letters",
                                        request -> respondDeadLetters(request, letters),
                                        "after",
                                        "limit"),
                                Route.post(
                                        Right.ADMIN,
                                        "/api/v1/audit/dead-letters/replay",
                                        request -> respondReplay(request, replay))),
                        rejecting(
                                "this operator sends its audit records to audit.sink.url and keeps no trail: read them"
                                        + " there, or set database to keep one; only refused records are at /api/v1/audit/dead-letters")
                                .stream())
                .toList();
    }

    private static List<Route> rejecting(String problem) {
        ApiRequest.Handler reject = request -> {
            throw HttpProblem.of(501, problem);
        };
        return Stream.of("/api/v1/audit", "/api/v1/audit/*")
                .flatMap(path -> Stream.of(GET, POST).map(method -> new Route(method, path, Optional.empty(), reject)))
                .toList();
    }

    private void list(ApiRequest request) {
        AuditFilter filter = new AuditFilter(
                request.parameter("target")
                        .map(text ->
                                Target.tryParse(text).map(Target::canonical).orElse(text)),
                request.parameter("execution")
                        .map(name -> name.contains("/") ? name : ApiRequest.DEFAULT_NAMESPACE + "/" + name),
                request.parameter("type"),
                request.parameter("actor"),
                instant(request, "since"),
                instant(request, "until"));
        request.respondPage((token, limit) -> audit.trail().list(filter, token, limit), ChainEntry::toDocument);
    }

    private static Optional<Instant> instant(ApiRequest request, String name) {
        return request.parameter(name).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException malformed) {
                throw HttpProblem.badRequest(
                        "%s is %s: it must be a time such as 2026-11-18T12:00:00Z".formatted(name, quote(text)));
            }
        });
    }

    private void get(ApiRequest request) {
        String id = request.pathParameter("id");
        ChainEntry entry = audit.trail()
                .find(id)
                .orElseThrow(() -> HttpProblem.notFound(
                        "the audit trail has no record %s: GET /api/v1/audit lists them".formatted(quote(id))));
        request.respond(200, entry.toDocument());
    }

    /** Responds with entries, oldest first, so that an export can continue after any of them. */
    private void export(ApiRequest request) {
        long after = request.number("after", 0, 0, Long.MAX_VALUE);
        int limit = (int) request.number("limit", MAX_EXPORTED, 1, MAX_EXPORTED);
        List<?> items = audit.trail().read(after, limit).stream()
                .map(ChainEntry::toDocument)
                .toList();
        request.respond(200, new DocumentList<>(items, new DocumentList.Metadata(null)));
    }

    private void listCheckpoints(ApiRequest request) {
        List<?> items = audit.checkpoints().list().stream()
                .map(checkpoint -> Map.of(
                        "sequence", checkpoint.sequence(),
                        "hash", checkpoint.hash(),
                        "created_at", checkpoint.createdAt().toString()))
                .toList();
        request.respond(200, new DocumentList<>(items, new DocumentList.Metadata(null)));
    }

    private void listDeadLetters(ApiRequest request) {
        respondDeadLetters(request, audit.sink()::listDeadLetters);
    }

    private static void respondDeadLetters(ApiRequest request, BiFunction<Long, Integer, List<DeadLetter>> letters) {
        long after = request.number("after", 0, 0, Long.MAX_VALUE);
        int limit = (int) request.number("limit", MAX_EXPORTED, 1, MAX_EXPORTED);
        List<?> items = letters.apply(after, limit).stream()
                .map(AuditRoutes::toDocument)
                .toList();
        request.respond(200, new DocumentList<>(items, new DocumentList.Metadata(null)));
    }

    private static AuditDeadLetter toDocument(DeadLetter letter) {
        return new AuditDeadLetter(
                letter.sequence(),
                (long) letter.status(),
                letter.error(),
                letter.refusedAt().toString(),
                letter.replayRequested(),
                Json.read(letter.document(), AuditRecord.class),
                Map.of());
    }

    /** Sends all refused records again, soon. */
    private void replay(ApiRequest request) {
        respondReplay(request, () -> {
            int requested = audit.sink().requestReplay();
            audit.replayListener().run();
            return requested;
        });
    }

    private static void respondReplay(ApiRequest request, IntSupplier replay) {
        int requested = replay.getAsInt();
        LOG.info("Refused audit records are sent again: records={} by={}", requested, request.actor(Map.of()));
        request.respond(202, Map.of("requested", requested));
    }

    private void verify(ApiRequest request) {
        long after = request.number("after", 0, 0, Long.MAX_VALUE);
        long limit = request.number("limit", MAX_VERIFIED, 1, MAX_VERIFIED);
        request.respond(200, toDocument(audit.verifier().verify(after, request.parameter("hash"), limit)));
    }

    private static AuditVerification toDocument(TrailVerifier.Part part) {
        return new AuditVerification(
                part.verified(),
                part.sequence(),
                part.hash(),
                part.head(),
                part.finished(),
                part.problemCount(),
                part.problems().stream().map(AuditRoutes::toDocument).toList(),
                Map.of());
    }

    private static AuditVerification.Problem toDocument(ChainProblem problem) {
        return new AuditVerification.Problem(problem.sequence(), problem.kind().name(), problem.message(), Map.of());
    }
}
