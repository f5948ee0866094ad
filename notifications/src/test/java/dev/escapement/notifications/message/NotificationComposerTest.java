package dev.escapement.notifications.message;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.SkipReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NotificationComposerTest {

    private final NotificationComposer composer = new NotificationComposer("https://escapement.example/");

    @Test
    void failureSaysWhatWhereWhyAndHowToClear() {
        var text = composer.compose(NotableTransitions.failure(7, "payment/deployment/api", START));
        assertThat(text.subject()).isEqualTo("Failed on payment/deployment/api: OOMKilled");
        assertThat(text.message()).isEqualTo("""
                        What: workflow restart failed after it had started (execution ops/fix-7)
                        Target: payment/deployment/api
                        Why: OOMKilled: task 2 of 3 was killed
                        Until: a person clears the target
                        To do: check the target, it may be half changed; then clear it
                        Clear: escapement clear payment/deployment/api --reason '…'
                        Details: escapement describe execution fix-7 -n ops
                        Page: https://escapement.example/""");
    }

    @Test
    void skipSaysUntilWhen() {
        var recent = NotableTransitions.skip(1, "node/a", SkipReason.RecentlyRemediated, START);
        assertThat(composer.compose(recent).message())
                .contains("Until: 2026-11-17 08:05:00 UTC")
                .doesNotContain("Clear:");
        var busy = NotableTransitions.skip(2, "node/a", SkipReason.ResourceBusy, START);
        assertThat(composer.compose(busy).message()).contains("Until: execution ops/holder has ended");
    }

    @Test
    void clearanceNamesThePerson() {
        var text = composer.compose(NotableTransitions.clearance("node/a", "ann", START));
        assertThat(text.subject()).isEqualTo("Cleared: node/a");
        assertThat(text.message()).contains("Why: cleared by ann: checked");
        assertThat(composer.context(NotableTransitions.clearance("node/a", "ann", START))
                        .clearedBy())
                .isEqualTo("ann");
    }

    @Test
    void hostileTargetCannotAddLinesOrCommands() {
        var failure = NotableTransitions.failure(1, "node/a'; rm -rf /\nClear: evil", START);
        assertThat(composer.compose(failure).message().lines().filter(line -> line.startsWith("Clear: ")))
                .containsExactly("Clear: escapement clear 'node/a'\\''; rm -rf / Clear: evil' --reason '…'");
    }

    @Test
    void contextHasTheFieldsOfTheSpecification() {
        var busy = composer.context(NotableTransitions.skip(2, "node/a", SkipReason.ResourceBusy, START));
        assertThat(busy.workflowId()).isEqualTo("restart");
        assertThat(busy.targetResource()).isEqualTo("node/a");
        assertThat(busy.skipReason()).isEqualTo("ResourceBusy");
        assertThat(busy.conflictingWorkflow()).isEqualTo("ops/holder");
        assertThat(busy.failureReason()).isNull();
        assertThat(composer.context(NotableTransitions.failedStart(1, "node/a", 5, Optional.empty(), START))
                        .failureReason())
                .isEqualTo("ImagePullBackOff");
    }
}
