package dev.escapement.api.endpoint;

import dev.escapement.common.Copies;
import java.util.List;

/**
 * What an import of endpoints did, or would do.
 *
 * @param created the names of new endpoints
 * @param changed the names of changed endpoints
 * @param unchanged the names of endpoints that were as given already
 */
public record EndpointImportResult(List<String> created, List<String> changed, List<String> unchanged) {

    public EndpointImportResult {
        created = Copies.list(created);
        changed = Copies.list(changed);
        unchanged = Copies.list(unchanged);
    }
}
