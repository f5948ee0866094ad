package dev.escapement.server.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.server.http.TestRouteServer;
import dev.escapement.storage.Database;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports take much memory, so there is only one at a time. */
class ConcurrentImportTest {

    private static final String IMPORT = "/api/v1/endpoints/import";
    private static final String ENDPOINTS =
            "{\"items\": [{\"name\": \"one\", \"url\": \"https://example.org/\", \"interval\": \"1h\"}]}";

    @Test
    void answers503WhileAnotherImportIsInProgress(@TempDir Path folder) {
        Semaphore importLock = new Semaphore(1);
        try (Database database = Database.openSqlite(folder.resolve("test.db"))) {
            EndpointService service = new EndpointService(
                    SqlEndpointStore.open(database, 10),
                    new EndpointPlanner(RunPlanner.withDefaultJitter()),
                    () -> "id-1");
            EndpointRouteContext context =
                    new EndpointRouteContext(service, AllowList.parse(""), database.queries(), false);
            try (TestRouteServer server = new TestRouteServer(new EndpointImportRoutes(context, importLock).routes())) {
                assertThat(importLock.tryAcquire()).isTrue();
                HttpResponse<String> refused = server.post(IMPORT, ENDPOINTS);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body()).contains("another import is in progress: retry");
                assertThat(refused.headers().firstValue("Retry-After")).contains("1");
                importLock.release();

                for (int i = 0; i < 2; i++) {
                    HttpResponse<String> accepted = server.post(IMPORT, ENDPOINTS);
                    assertThat(accepted.statusCode())
                            .describedAs(accepted.body())
                            .isEqualTo(200);
                }
                assertThat(server.post(IMPORT, "{\"items\": []}").statusCode()).isEqualTo(400);
                assertThat(importLock.availablePermits())
                        .describedAs("also after an error")
                        .isEqualTo(1);
            }
        }
    }
}
