package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class FailureLogTest {

    private static final long MINUTE = FailureLog.REMINDER_INTERVAL.toNanos();
    private final IOException failure = new IOException("away");

    private final List<String> lines = new ArrayList<>();
    private final List<Runnable> recoveryChecks = new ArrayList<>();
    private long now;

    private final FailureLog immediate = new FailureLog(new Recorder(), "Reconciling", () -> now, Runnable::run);
    private final FailureLog delayed = new FailureLog(new Recorder(), "Reconciling", () -> now, recoveryChecks::add);

    @Test
    void warnsOnceAndLogsRecovery() {
        immediate.recordSuccess();
        immediate.recordFailure(failure);
        immediate.recordFailure("fix-1", failure);
        immediate.recordSuccess();
        immediate.recordSuccess();
        assertThat(lines)
                .containsExactly(
                        "WARN Reconciling failed, will retry: java.io.IOException: away",
                        "INFO Reconciling recovered: failures=2");
    }

    @Test
    void warnsAgainAfterRecovery() {
        immediate.recordFailure("fix-1", failure);
        immediate.recordSuccess();
        immediate.recordFailure("fix-2", failure);
        assertThat(lines).hasSize(3).last().asString().startsWith("WARN Reconciling failed for fix-2");
    }

    @Test
    void remindsEveryMinute() {
        immediate.recordFailure("fix-1", failure);
        now += MINUTE - 1;
        immediate.recordFailure("fix-2", failure);
        now += 1;
        immediate.recordFailure("fix-3", failure);
        immediate.recordFailure("fix-4", failure);
        assertThat(lines)
                .containsExactly(
                        "WARN Reconciling failed for fix-1, will retry: java.io.IOException: away",
                        "WARN Reconciling is still failing: failures=3, the last for fix-3: java.io.IOException: away");
    }

    @Test
    void countsOnlyFirstAttemptOfASubject() {
        immediate.recordFailure("fix-1", 2, failure);
        assertThat(lines).isEmpty();
        immediate.recordFailure("fix-2", 1, failure);
        assertThat(lines).hasSize(1);
    }

    @Test
    void doesNotReportRecoveryWhileSomeAttemptsFail() {
        delayed.recordFailure(failure);
        delayed.recordSuccess();
        delayed.recordSuccess();
        assertThat(recoveryChecks).hasSize(1);
        delayed.recordFailure(failure);
        recoveryChecks.remove(0).run();
        assertThat(recoveryChecks).isEmpty();
        delayed.recordSuccess();
        delayed.recordFailure(failure);
        delayed.recordSuccess();
        recoveryChecks.remove(0).run();
        assertThat(lines).hasSize(1);
        recoveryChecks.remove(0).run();
        assertThat(lines).last().isEqualTo("INFO Reconciling recovered: failures=3");
        assertThat(recoveryChecks).isEmpty();
    }

    /** Keeps what is logged at level info and above. */
    private final class Recorder extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return "";
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable cause) {
            lines.add(level + " "
                    + MessageFormatter.arrayFormat(pattern, arguments).getMessage());
        }
    }
}
