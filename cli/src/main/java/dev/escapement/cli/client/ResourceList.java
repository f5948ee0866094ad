package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A list as far as it was wanted.
 *
 * @param items documents
 * @param hasMore whether there are more
 */
public record ResourceList(List<JsonNode> items, boolean hasMore) {

    /** As many as a server gives at once. */
    private static final int PAGE_SIZE = 200;

    /** Copies the list. */
    public ResourceList {
        items = List.copyOf(items);
    }

    /** The first so many, page by page. */
    public static ResourceList fetch(ApiClient api, ApiPath resource, int limit) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            ApiPath page = resource.withParameter("limit", Integer.toString(Math.min(PAGE_SIZE, limit - items.size())));
            JsonNode answer = api.get(token.isEmpty() ? page : page.withParameter("continue", token));
            int before = items.size();
            answer.path("items").forEach(items::add);
            String next = ClientJson.text(answer, "/metadata/continue");
            // A server that sends the same page for ever would keep us here for ever.
            token = items.size() == before || next.equals(token) ? "" : next;
        } while (!token.isEmpty() && items.size() < limit);
        return new ResourceList(items.subList(0, Math.min(limit, items.size())), !token.isEmpty());
    }

    /** As one document, for machines. */
    public JsonNode toDocument() {
        ObjectNode document = ClientJson.createObject();
        document.put("apiVersion", "v1").put("kind", "List");
        document.putArray("items").addAll(items);
        return document;
    }
}
