package dev.escapement.server.http.endpoint;

import dev.escapement.api.endpoint.EndpointImportResult;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * The route that creates or changes many endpoints at once, all or none.
 *
 * @param importLock with one permit: an import may take a hundred megabytes of memory
 */
public record EndpointImportRoutes(EndpointRouteContext routeContext, Semaphore importLock) {

    private static final int MAX_ENDPOINTS = 10_000;
    private static final int MAX_QUOTE_LENGTH = 130;

    public List<Route> routes() {
        return List.of(Route.post(Right.ADMIN, RequestBodies.IMPORT_PATH, this::importEndpoints, "dry-run"));
    }

    private void importEndpoints(ApiRequest request) throws IOException {
        if (!importLock.tryAcquire()) {
            request.context().header("Retry-After", "1");
            throw HttpProblem.of(503, "another import is in progress: retry");
        }
        try {
            importAll(request);
        } finally {
            importLock.release();
        }
    }

    private void importAll(ApiRequest request) throws IOException {
        boolean dryRun = request.flag("dry-run");
        String by = request.actor(Map.of());
        List<Map<String, Object>> items =
                collectItems(RequestBodies.ofImport().read(request.context(), DocumentParser::readAll));
        List<String> names = items.stream().map(EndpointImportRoutes::nameOf).toList();
        ImportPlan plan = new ImportPlan(items);
        if (dryRun) {
            plan.resolve(routeContext.endpoints().store().findByName(names));
        } else {
            routeContext.endpoints().upsertAll(names, plan::resolve);
            EndpointRouteContext.AUDIT_LOG
                    .atInfo()
                    .addKeyValue("by", by)
                    .log(
                            "imported: added={} changed={}",
                            plan.result.created().size(),
                            plan.result.changed().size());
        }
        request.respond(200, plan.result);
    }

    /** Accepts documents that are endpoints, and documents with endpoints under {@code items}. */
    private static List<Map<String, Object>> collectItems(List<Map<String, Object>> documents) {
        List<Map<String, Object>> items = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Map<String, Object> document : documents) {
            if (!document.containsKey("items")) {
                items.add(document);
                continue;
            }
            RequestBodies.rejectUnknown(document, Set.of("items"));
            if (!(document.get("items") instanceof List<?> list)) {
                throw HttpProblem.badRequest("items must be a list: {\"items\": [ENDPOINT, …]}");
            }
            for (Object item : list) {
                if (!(item instanceof Map<?, ?>)) {
                    problems.add("items[%d] must be an object: an endpoint".formatted(items.size()));
                }
                items.add(item instanceof Map<?, ?> map ? EndpointRoutes.copyOf(map) : Map.of());
            }
        }
        if (!problems.isEmpty()) {
            throw HttpProblem.invalidDocument(problems);
        }
        if (items.isEmpty() || items.size() > MAX_ENDPOINTS) {
            throw HttpProblem.badRequest(
                    "items has %d endpoints: an import must have from 1 to %d".formatted(items.size(), MAX_ENDPOINTS));
        }
        return items;
    }

    private static String nameOf(Map<String, Object> item) {
        return item.get("name") instanceof String name ? name : "";
    }

    /** Compares the documents with the stored endpoints; resolved again after a concurrent write. */
    private final class ImportPlan {

        private final List<Map<String, Object>> items;
        private EndpointImportResult result = new EndpointImportResult(List.of(), List.of(), List.of());

        private ImportPlan(List<Map<String, Object>> items) {
            this.items = items;
        }

        private List<DesiredEndpoint> resolve(Map<String, StoredEndpoint> stored) {
            List<DesiredEndpoint> desired = new ArrayList<>();
            List<String> problems = new ArrayList<>();
            Set<String> seen = new LinkedHashSet<>();
            List<String> created = new ArrayList<>();
            List<String> changed = new ArrayList<>();
            List<String> unchanged = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                String name = nameOf(items.get(i));
                String where = "items[%d] (%s): ".formatted(i, SafeText.sanitize(name, MAX_QUOTE_LENGTH));
                if (!name.isEmpty() && !seen.add(name)) {
                    problems.add(where + "name is used twice: names are unique");
                }
                Optional<ScheduledEndpoint> old =
                        Optional.ofNullable(stored.get(name)).map(StoredEndpoint::endpoint);
                try {
                    DesiredEndpoint read = readDesired(items.get(i), old);
                    desired.add(read);
                    old.map(endpoint -> EndpointService.isUpToDate(endpoint, read) ? unchanged : changed)
                            .orElse(created)
                            .add(name);
                } catch (IllegalArgumentException invalid) {
                    String.valueOf(invalid.getMessage()).lines().forEach(line -> problems.add(where + line));
                }
            }
            if (!problems.isEmpty()) {
                throw HttpProblem.invalidDocument(problems);
            }
            result = new EndpointImportResult(created, changed, unchanged);
            return desired;
        }

        /** A document without {@code pausedUntil} leaves the pause of the endpoint unchanged. */
        private DesiredEndpoint readDesired(Map<String, Object> item, Optional<ScheduledEndpoint> old) {
            DesiredEndpoint read = routeContext.parse(item, old);
            return item.containsKey("pausedUntil")
                    ? read
                    : new DesiredEndpoint(
                            read.definition(),
                            old.flatMap(endpoint -> endpoint.overrides().pausedUntil()));
        }
    }
}
