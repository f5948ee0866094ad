package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.governor.ledger.ExecutionRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunLabelsTest {

    private static final String MAX_LENGTH_NAME = "a.b-".repeat(63) + "c";

    private static ObjectMeta metadata(String name, String uid, String target) {
        return RunLabels.newRunMetadata(
                Execution.pending(
                        new ExecutionRef("ops", name, uid),
                        Instant.EPOCH,
                        ExecutionSpec.of("repair", target, Map.of())),
                "runs");
    }

    @Test
    void longestNamesGiveValidLabels() {
        assertThat(MAX_LENGTH_NAME).hasSize(253);
        ObjectMeta metadata = metadata(MAX_LENGTH_NAME, "0f7d-12", "shop/deployment/" + MAX_LENGTH_NAME);
        assertThat(metadata.getName()).hasSizeLessThanOrEqualTo(50).matches("wfe-[0-9a-f]{16}-[0-9a-f]{10}");
        assertThat(metadata.getLabels().values())
                .allSatisfy(value -> assertThat(value).matches("[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?"));
        assertThat(metadata.getAnnotations())
                .containsEntry(RunLabels.EXECUTION_NAME, MAX_LENGTH_NAME)
                .containsEntry(RunLabels.TARGET_RESOURCE, "shop/deployment/" + MAX_LENGTH_NAME);
    }

    @Test
    void runNameHasTargetPrefixAndExecutionSuffix() {
        String one = metadata("e1", "uid-1", "payment/Deployment/payment-api").getName();
        String other = metadata("e1", "uid-2", "payment/deployment/payment-api").getName();
        assertThat(one).startsWith("wfe-cf0cc089293b1165-").isNotEqualTo(other);
        assertThat(other).startsWith("wfe-cf0cc089293b1165-");
        assertThat(metadata("e1", "uid-1", "payment/deployment/payment-api").getName())
                .isEqualTo(one);
    }
}
