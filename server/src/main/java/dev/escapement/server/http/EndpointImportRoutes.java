package dev.escapement.server.http;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.governor.SafeText;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Many endpoints at once, all or none. */
final class EndpointImportRoutes {

    private static final int LARGEST = 16 << 20;
    private static final int MOST = 10_000;
    private static final int LONGEST_QUOTE = 130;

    private final EndpointParts parts;
    private final Bodies bodies;
    private final EndpointLog log;

    EndpointImportRoutes(EndpointParts parts, Bodies bodies, EndpointLog log) {
        this.parts = parts;
        this.bodies = bodies.upTo(LARGEST, "of an import");
        this.log = log;
    }

    List<Route> routes() {
        return List.of(Route.post("/api/v1/endpoints/import", this::bring));
    }

    private void bring(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of("dry-run"));
        boolean onlyChecked = Params.truth(context, "dry-run");
        List<Map<String, Object>> items = items(bodies.documents(context));
        List<String> names = items.stream().map(EndpointImportRoutes::name).toList();
        Reading reading = new Reading(items);
        if (onlyChecked) {
            reading.wanted(parts.endpoints().store().findByName(names));
        } else {
            parts.endpoints().upsertAll(names, reading::wanted);
            log.brought(context, reading.created.size(), reading.changed.size());
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("created", reading.created);
        answer.put("changed", reading.changed);
        answer.put("unchanged", reading.unchanged);
        Answers.json(context, 200, answer);
    }

    /** Endpoints one after the other, or under {@code items}, or both. */
    private static List<Map<String, Object>> items(List<Map<String, Object>> documents) {
        List<Map<String, Object>> items = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Map<String, Object> document : documents) {
            if (!document.containsKey("items")) {
                items.add(document);
                continue;
            }
            Bodies.refuseStrangers(document, Set.of("items"));
            if (!(document.get("items") instanceof List<?> list)) {
                throw Problem.badRequest("items is no list: write {\"items\": [ENDPOINT, …]}");
            }
            for (Object item : list) {
                if (!(item instanceof Map<?, ?>)) {
                    problems.add("items[%d] is no object: each is an endpoint".formatted(items.size()));
                }
                items.add(item instanceof Map<?, ?> map ? Trees.copy(map) : Map.of());
            }
        }
        if (!problems.isEmpty()) {
            throw Problem.badDocument(problems);
        }
        if (items.isEmpty() || items.size() > MOST) {
            throw Problem.badRequest(
                    "items has %d endpoints: an import has from 1 to %d".formatted(items.size(), MOST));
        }
        return items;
    }

    private static String name(Map<String, Object> item) {
        return item.get("name") instanceof String name ? name : "";
    }

    /** Makes of the documents what is wanted; more than once if somebody else writes in between. */
    private final class Reading {

        private final List<Map<String, Object>> items;
        private List<String> created = List.of();
        private List<String> changed = List.of();
        private List<String> unchanged = List.of();

        private Reading(List<Map<String, Object>> items) {
            this.items = items;
        }

        private List<DesiredEndpoint> wanted(Map<String, StoredEndpoint> stored) {
            List<DesiredEndpoint> wanted = new ArrayList<>();
            List<String> problems = new ArrayList<>();
            Set<String> seen = new LinkedHashSet<>();
            created = new ArrayList<>();
            changed = new ArrayList<>();
            unchanged = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                String name = name(items.get(i));
                String where = "items[%d] (%s): ".formatted(i, SafeText.sanitize(name, LONGEST_QUOTE));
                if (!name.isEmpty() && !seen.add(name)) {
                    problems.add(where + "name is there twice: every endpoint has its own");
                }
                Optional<Endpoint> old = Optional.ofNullable(stored.get(name)).map(StoredEndpoint::endpoint);
                try {
                    DesiredEndpoint read = read(items.get(i), old);
                    wanted.add(read);
                    old.map(there -> EndpointService.isUpToDate(there, read) ? unchanged : changed)
                            .orElse(created)
                            .add(name);
                } catch (IllegalArgumentException refused) {
                    String.valueOf(refused.getMessage()).lines().forEach(line -> problems.add(where + line));
                }
            }
            if (!problems.isEmpty()) {
                throw Problem.badDocument(problems);
            }
            return wanted;
        }

        /** A file that says nothing of a pause does not end one that somebody has asked for meanwhile. */
        private DesiredEndpoint read(Map<String, Object> item, Optional<Endpoint> old) {
            DesiredEndpoint read = parts.documents().read(item, old.map(Endpoint::definition));
            return item.containsKey("pausedUntil")
                    ? read
                    : new DesiredEndpoint(
                            read.definition(),
                            old.flatMap(there -> there.overrides().pausedUntil()));
        }
    }
}
