package dev.escapement.notifications.message;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.SkipReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationClassifierTest {

    @ParameterizedTest
    @CsvSource({
        "ResourceBusy,INFO,false",
        "RecentlyRemediated,INFO,false",
        "QueueFull,INFO,false",
        "WaitExpired,INFO,false",
        "ExhaustedRetries,WARNING,true",
        "PreviousExecutionFailed,CRITICAL,true"
    })
    void skipHasSeverityOfItsReason(SkipReason reason, NotificationSeverity severity, boolean needsPerson) {
        var skip = NotableTransitions.skip(1, "node/a", reason, START);
        assertThat(NotificationClassifier.severityOf(skip)).contains(severity);
        assertThat(NotificationClassifier.needsPerson(skip)).isEqualTo(needsPerson);
    }

    @Test
    void failureAfterStartIsCritical() {
        var failure = NotableTransitions.failure(1, "node/a", START);
        assertThat(NotificationClassifier.severityOf(failure)).contains(NotificationSeverity.CRITICAL);
        assertThat(NotificationClassifier.needsPerson(failure)).isTrue();
    }

    @Test
    void failedStartIsInfoUntilRetriesAreExhausted() {
        var retried = NotableTransitions.failedStart(1, "node/a", 4, Optional.of(START.plusSeconds(60)), START);
        var last = NotableTransitions.failedStart(2, "node/a", 5, Optional.empty(), START);
        assertThat(NotificationClassifier.severityOf(retried)).contains(NotificationSeverity.INFO);
        assertThat(NotificationClassifier.severityOf(last)).contains(NotificationSeverity.WARNING);
    }

    @Test
    void completionNeedsNoNotification() {
        assertThat(NotificationClassifier.severityOf(NotableTransitions.completion(1, "node/a", START)))
                .isEmpty();
    }

    @Test
    void nameDependsOnlyOnWhatHappened() {
        var skip = NotableTransitions.skip(1, "node/a", SkipReason.ResourceBusy, START);
        var readAgain = NotableTransitions.skip(1, "node/a", SkipReason.ResourceBusy, START);
        assertThat(NotificationName.of(skip))
                .isEqualTo(NotificationName.of(readAgain))
                .matches("nr-[0-9a-f]{24}");
        assertThat(NotificationName.of(NotableTransitions.skip(2, "node/a", SkipReason.ResourceBusy, START)))
                .isNotEqualTo(NotificationName.of(skip));
        assertThat(NotificationName.of(NotableTransitions.failure(1, "node/a", START)))
                .isNotEqualTo(NotificationName.of(skip));
    }

    @Test
    void clearancesAtDifferentTimesHaveDifferentNames() {
        assertThat(NotificationName.of(NotableTransitions.clearance("node/a", "ann", START)))
                .isNotEqualTo(NotificationName.of(NotableTransitions.clearance("node/a", "ann", START.plusMillis(1))));
    }
}
