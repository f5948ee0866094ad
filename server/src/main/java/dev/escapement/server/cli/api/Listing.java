package dev.escapement.server.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A list as far as it was wanted.
 *
 * @param items documents
 * @param more whether there are more
 */
public record Listing(List<JsonNode> items, boolean more) {

    /** As many as a server gives at once. */
    private static final int PAGE = 200;

    /** Copies the list. */
    public Listing {
        items = List.copyOf(items);
    }

    /** The first so many, page by page. */
    public static Listing of(ApiClient api, Resource resource, int limit) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            Resource page = resource.with("limit", Integer.toString(Math.min(PAGE, limit - items.size())));
            JsonNode answer = api.get(token.isEmpty() ? page : page.with("continue", token));
            int before = items.size();
            answer.path("items").forEach(items::add);
            String next = Json.text(answer, "/metadata/continue");
            // A server that sends the same page for ever would keep us here for ever.
            token = items.size() == before || next.equals(token) ? "" : next;
        } while (!token.isEmpty() && items.size() < limit);
        return new Listing(items.subList(0, Math.min(limit, items.size())), !token.isEmpty());
    }

    /** As one document, for machines. */
    public JsonNode document() {
        ObjectNode document = Json.object();
        document.put("apiVersion", "v1").put("kind", "List");
        document.putArray("items").addAll(items);
        return document;
    }
}
