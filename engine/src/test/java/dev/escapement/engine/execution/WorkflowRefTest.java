package dev.escapement.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "w",
                "w:1.0",
                "team/w",
                "r.example/team/sub/w_x:v1.2-rc.3",
                "r.example:5000/w",
                "localhost/w",
                "R.Example/w:V1",
                "[::1]:5000/w",
                "r.example/a--b__c.d",
                "r.example/w@sha256:HEX",
                "r.example/w:v1@sha512:HEXHEX"
            })
    void acceptsImageReference(String image) {
        assertThat(workflow(image, "").imageProblem()).isEmpty();
        assertThat(workflow(image, image.contains("@") ? "" : "sha256:HEX").imageProblem())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://r.example/w",
                "r.example/W",
                "r.example/w:",
                "r.example/w:-v1",
                "r.example/w:v 1",
                "r.example//w",
                "r.example/w/",
                "/w",
                "r.example/w@",
                "r.example/w@sha256",
                "r.example/w@sha256:",
                "r.example/w@sha256:xyz",
                "r.example/w@sha256:HEX@sha256:HEX",
                "r.example:port/w",
                "-r.example/w:v1",
                "r.example/w\nx",
                "--privileged",
                "$(id)",
                "w;w"
            })
    void rejectsMalformedImage(String image) {
        assertThat(workflow(image, "").imageProblem())
                .hasValueSatisfying(message -> assertThat(message)
                        .startsWith("spec.workflowRef.containerImage is ")
                        .contains("it must be an image reference"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha256:", "sha256:xyz", "not hex", "sha256:HEX:HEX", "@sha256:HEX"})
    void rejectsMalformedDigest(String digest) {
        assertThat(workflow("r.example/w", digest).imageProblem()).isPresent();
    }

    @Test
    void rejectsImageThatIsTooLong() {
        assertThat(workflow("r.example/" + "a".repeat(4_086), "").imageProblem())
                .isEmpty();
        assertThat(workflow("r.example/" + "a".repeat(4_087), "").imageProblem())
                .hasValueSatisfying(message -> assertThat(message.length()).isLessThan(500));
        assertThat(workflow("", "").imageProblem()).isEmpty();
    }

    @Test
    void reportsConflictingDigests() {
        assertThat(workflow("r.example/w@sha256:00", "sha256:HEX").digestConflict())
                .hasValueSatisfying(message ->
                        assertThat(message).contains("sha256:00").contains(HEX).contains("containerDigest"));
    }
}
