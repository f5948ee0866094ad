package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.schedule.EndpointStateException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Requests to run an endpoint now are bounded, also those that its own calls cause. */
class RunRequestTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture();

    RunRequestTest() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofHours(1)));
    }

    private void requestRun() {
        fixture.service.runNow("health", "ada", "now");
    }

    @Test
    void refusesSecondRequestWithinASecond() {
        requestRun();
        fixture.runFor(Duration.ofMillis(500));
        assertThat(fixture.receiver.receivedCalls()).hasSize(1);

        assertThatThrownBy(this::requestRun)
                .isInstanceOf(EndpointStateException.class)
                .hasMessage("a run of endpoint health was requested less than 1s ago: wait, then try again");

        fixture.runFor(Duration.ofMillis(500));
        requestRun();
        fixture.runFor(SECOND);
        assertThat(fixture.receiver.receivedCalls()).hasSize(2);
    }

    @Test
    void requestsBeforeTheRunStartsCauseOneRun() {
        for (int i = 0; i < 10; i++) {
            requestRun();
        }
        fixture.runFor(Duration.ofMinutes(1));
        assertThat(fixture.receiver.receivedCalls()).hasSize(1);
    }

    @Test
    void requestDuringARunCausesAnotherRunAfterIt() {
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(5));
        requestRun();
        fixture.runFor(SECOND.multipliedBy(2));
        requestRun();
        fixture.runFor(Duration.ofMinutes(1));
        assertThat(fixture.receiver.receivedCalls()).hasSize(2);
    }

    /** As an endpoint could do that calls this server. */
    @Test
    void requestsWithoutEndCauseOneRunPerSecond() {
        for (int i = 0; i < 100; i++) {
            try {
                requestRun();
            } catch (EndpointStateException refused) {
                // Most of them are.
            }
            fixture.runFor(Duration.ofMillis(50));
        }
        assertThat(fixture.receiver.receivedCalls()).hasSize(5);
    }

    @Test
    void requestBeforeTheClockWasSetBackDoesNotCount() {
        requestRun();
        fixture.runFor(SECOND);
        fixture.clock.advance(Duration.ofHours(-1));
        requestRun();
        assertThat(fixture.store
                        .findByName("health")
                        .orElseThrow()
                        .endpoint()
                        .overrides()
                        .runRequest())
                .hasValueSatisfying(request -> assertThat(request.at()).isEqualTo(fixture.clock.instant()));
    }
}
