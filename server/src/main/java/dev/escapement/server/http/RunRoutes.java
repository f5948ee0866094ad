package dev.escapement.server.http;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RunDocumentWriter;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.governor.SafeText;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs of endpoints: what happened, when, and why then. */
final class RunRoutes {

    private static final int LONGEST_QUOTE = 200;
    private static final Pattern ID = Pattern.compile("(.{1,200})-([1-9][0-9]{0,17})");

    private final EndpointParts parts;

    RunRoutes(EndpointParts parts) {
        this.parts = parts;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/endpoints/{name}/runs", this::ofEndpoint),
                Route.get("/api/v1/runs", this::all),
                Route.get("/api/v1/runs/{id}", this::get));
    }

    private EndpointStore store() {
        return parts.endpoints().store();
    }

    private void ofEndpoint(Context context) {
        Params.refuseStrangers(context, Set.of("outcome", "limit", "continue"));
        list(context, Optional.of(parts.find(context).endpoint().id()));
    }

    private void all(Context context) {
        Params.refuseStrangers(context, Set.of("endpoint", "outcome", "limit", "continue"));
        list(
                context,
                Params.text(context, "endpoint")
                        .map(name -> parts.find(name).endpoint().id()));
    }

    private void list(Context context, Optional<String> endpoint) {
        RunFilter filter =
                new RunFilter(endpoint, Params.text(context, "outcome").map(RunRoutes::isFailed));
        Lists.answer(context, (token, limit) -> store().listRuns(filter, token, limit), RunDocumentWriter::write);
    }

    private static boolean isFailed(String outcome) {
        if (!outcome.equals("failed") && !outcome.equals("succeeded")) {
            throw Problem.badRequest(
                    "outcome is %s: it must be failed or succeeded".formatted(SafeText.quote(outcome, LONGEST_QUOTE)));
        }
        return outcome.equals("failed");
    }

    private void get(Context context) {
        Params.refuseStrangers(context, Set.of());
        String id = context.pathParam("id");
        Matcher named = ID.matcher(id);
        Optional<FinishedRun> run =
                named.matches() ? store().getRun(named.group(1), Long.parseLong(named.group(2))) : Optional.empty();
        Answers.json(
                context,
                200,
                RunDocumentWriter.write(run.orElseThrow(
                        () -> Problem.notFound("there is no run %s: GET /api/v1/runs lists them; old ones are removed"
                                .formatted(SafeText.quote(id, LONGEST_QUOTE))))));
    }
}
