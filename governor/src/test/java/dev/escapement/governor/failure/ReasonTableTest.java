package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.failure.ReasonTable.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonTableTest {

    @Test
    void rejectsReasonThatOccursTwice() {
        Row again = Row.failure(FailureReason.Cancelled, StartEvidence.INCONCLUSIVE, "Stopped", "Cancelled");
        assertThatThrownBy(() -> ReasonTable.COMMON.with(List.of(again)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reason \"Cancelled\" occurs twice in the table");
    }

    @Test
    void extendedTableLeavesOriginalUnchanged() {
        Row more = Row.failure(FailureReason.OOMKilled, StartEvidence.STEP_RAN, "OOM");
        ReasonTable extended = ReasonTable.COMMON.with(List.of(more));
        assertThat(extended.anyReason("OOM")).contains(FailureReason.OOMKilled);
        assertThat(extended.anyReason("Cancelled")).contains(FailureReason.Cancelled);
        assertThat(ReasonTable.COMMON.anyReason("OOM")).isEmpty();
    }
}
