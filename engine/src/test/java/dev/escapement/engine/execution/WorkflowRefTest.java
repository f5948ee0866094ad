package dev.escapement.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkflowRefTest {

    private static final String HEX = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    private static WorkflowRef workflow(String image, String digest) {
        return new WorkflowRef("repair", "", image.replace("HEX", HEX), digest.replace("HEX", HEX));
    }

    @ParameterizedTest
    @CsvSource({
        "r.example/w,                , r.example/w",
        "r.example/w:v1,             , r.example/w:v1",
        "r.example:5000/w,           sha256:HEX, r.example:5000/w@sha256:HEX",
        "r.example:5000/w:v1,        sha256:HEX, r.example:5000/w:v1@sha256:HEX",
        "r.example/w:v1,             HEX,        r.example/w:v1@sha256:HEX",
        "r.example/w@sha256:HEX,     ,           r.example/w@sha256:HEX",
        "r.example/w:v1@sha256:HEX,  sha256:HEX, r.example/w:v1@sha256:HEX",
        "' r.example/w '     ,       ' sha256:HEX ', r.example/w@sha256:HEX",
    })
    void pinsImageToDigest(String image, String digest, String expected) {
        WorkflowRef workflow = workflow(image, digest == null ? "" : digest);
        assertThat(workflow.pinnedImage()).contains(expected.replace("HEX", HEX));
        assertThat(workflow.digestConflict()).isEmpty();
    }

    @Test
    void returnsEmptyWithoutImage() {
        assertThat(workflow("", "sha256:HEX").pinnedImage()).isEmpty();
    }

    @Test
    void reportsConflictingDigests() {
        assertThat(workflow("r.example/w@sha256:00", "sha256:HEX").digestConflict())
                .hasValueSatisfying(message ->
                        assertThat(message).contains("sha256:00").contains(HEX).contains("containerDigest"));
    }
}
