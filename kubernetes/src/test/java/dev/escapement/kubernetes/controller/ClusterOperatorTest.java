package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.FailureLog;
import org.junit.jupiter.api.Test;

class ClusterOperatorTest {

    /** Otherwise a recovery would be logged between two failures. */
    @Test
    void failureDelayIsShorterThanRecoveryPeriod() {
        assertThat(ClusterOperator.MAX_FAILURE_DELAY).isLessThan(FailureLog.RECOVERY_PERIOD);
    }
}
