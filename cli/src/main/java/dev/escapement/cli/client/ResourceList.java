package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Resources read page by page.
 *
 * @param hasMore whether the server has more than these
 */
public record ResourceList(List<JsonNode> items, boolean hasMore) {

    /** The most that a server returns in one page. */
    private static final int PAGE_SIZE = 200;

    /** Copies the list. */
    public ResourceList {
        items = List.copyOf(items);
    }

    /** Reads the first {@code limit} items. */
    public static ResourceList fetch(ApiClient api, ApiPath resource, int limit) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            ApiPath page = resource.withParameter("limit", Integer.toString(Math.min(PAGE_SIZE, limit - items.size())));
            JsonNode response = api.get(token.isEmpty() ? page : page.withParameter("continue", token));
            int before = items.size();
            response.path("items").forEach(items::add);
            String next = ClientJson.text(response, "/metadata/continue");
            // Guards against a server that returns the same page again and again.
            token = items.size() == before || next.equals(token) ? "" : next;
        } while (!token.isEmpty() && items.size() < limit);
        return new ResourceList(items.subList(0, Math.min(limit, items.size())), !token.isEmpty());
    }

    /** Returns one List document, for JSON and YAML output. */
    public JsonNode toDocument() {
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("apiVersion", "v1").put("kind", "List");
        document.putArray("items").addAll(items);
        return document;
    }
}
