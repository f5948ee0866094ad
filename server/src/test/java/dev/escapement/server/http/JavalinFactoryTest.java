package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** While the database is unavailable, responses say whether to retry and contain no internal details. */
class JavalinFactoryTest {

    private static HttpResponse<String> responseTo(RuntimeException problem) {
        Route fails = Route.get("/fails", request -> {
            throw problem;
        });
        try (TestRouteServer api = new TestRouteServer(List.of(fails))) {
            return api.get("/fails");
        }
    }

    @Test
    void answers503WithRetryAfterWhenStoreIsUnavailable() {
        HttpResponse<String> answer =
                responseTo(new StorageUnavailableException("secret-host does not answer", new SQLException()));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body())
                .contains("\"code\":\"Unavailable\"", "the database does not answer", "nothing was changed")
                .doesNotContain("secret-host");
    }

    @Test
    void reportsUnknownOutcomeAsUnknown() {
        HttpResponse<String> answer = responseTo(
                new CommitOutcomeUnknownException("secret-host hung up", new IllegalStateException("hung up")));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body())
                .contains("it is unknown whether the request took effect", "retry with the same name")
                .doesNotContain("nothing was changed")
                .doesNotContain("secret-host");
    }

    @Test
    void answers500WithoutRetryAfterWhenStorageFailed() {
        HttpResponse<String> answer = responseTo(
                new UnexpectedStorageException("table secret is damaged", new IllegalStateException("damaged")));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
        assertThat(answer.body()).contains("the server log has the cause").doesNotContain("secret");
    }
}
