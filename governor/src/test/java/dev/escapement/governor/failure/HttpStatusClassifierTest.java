package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpStatusClassifierTest {

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 425, 429, 500, 502, 503, 504, 599})
    void transientStatusIsRetried(int status) {
        assertThat(HttpStatusClassifier.isTransient(status)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 100, 200, 201, 302, 399, 600, 999, Integer.MAX_VALUE})
    void nonErrorStatusIsTransient(int status) {
        assertThat(HttpStatusClassifier.isTransient(status)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 407, 410, 413, 415, 422, 426, 428, 499})
    void clientErrorIsNotTransient(int status) {
        assertThat(HttpStatusClassifier.isTransient(status)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "400, admission webhook denied the request, ConfigurationError",
        "401, Unauthorized, Forbidden",
        "401, quota, Forbidden",
        "403, pods is forbidden, Forbidden",
        "403, exceeded quota: count/pipelineruns, ResourceExhausted",
        "403, Exceeded QUOTA, ResourceExhausted",
        "404, namespaces not found, ConfigurationError",
        "409, already exists, PipelineRunCreationFailed",
        "413, request is too large, ConfigurationError",
        "415, unsupported media type, PipelineRunCreationFailed",
        "422, spec is invalid, ConfigurationError",
        "503, quota, PipelineRunCreationFailed",
        "0, quota, PipelineRunCreationFailed",
    })
    void mapsStatusToReason(int status, String message, FailureReason expected) {
        assertThat(HttpStatusClassifier.reasonFor(status, message)).isEqualTo(expected);
    }
}
