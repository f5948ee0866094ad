package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestFlowTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/openapi.yaml, /openapi.yaml",
        "/api/v1/executions, /api/v1/executions",
        "/api/v1/executions/, /api/v1/executions",
        "/api/v1/executions/default/restart/logs, /api/v1/executions",
        "/api/v1/endpoints/{namespace}/{name}, /api/v1/endpoints"
    })
    void resourceIsTheBeginningOfThePath(String path, String resource) {
        assertThat(RequestFlow.resourceOf(path)).isEqualTo(resource);
    }
}
