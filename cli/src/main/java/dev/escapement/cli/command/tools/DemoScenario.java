package dev.escapement.cli.command.tools;

import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The scenes of the demo. Each announces what will happen, does it, and checks the result. */
final class DemoScenario {

    private static final String NODE = "node/worker-node-1";
    private static final String GATEWAY = "payment/deployment/gateway";
    private static final String STORAGE = "node/storage-node-7";
    private static final int ALERT_COUNT = 12;
    private static final int MAX_FAILURES = 5;

    private final DemoSession session;

    DemoScenario(DemoSession session) {
        this.session = session;
    }

    /** Plays all scenes; returns null, so that it can be submitted as a task that throws. */
    Void play() throws InterruptedException, ExecutionException {
        session.printLine(
                "Periods are shortened: the cooldown is 25s instead of 5m, the backoff 1s to 10s instead of 1m to 10m.");
        ExecutionView completed = playAlertStorm();
        Instant cooldownEnd = playCooldown(completed);
        playPartialFailure();
        playStartFailures();
        playAfterCooldown(cooldownEnd);
        return null;
    }

    private ExecutionView playAlertStorm() throws InterruptedException, ExecutionException {
        session.startScene(
                "1. A burst of alerts",
                "%s runs out of disk space, and %d alerts request the same workflow at the same time."
                        .formatted(NODE, ALERT_COUNT));
        session.printCommand("run clean-disk " + NODE + " -p PAUSE=5        (" + ALERT_COUNT + " times)");
        List<ExecutionView> ended = new ArrayList<>();
        for (ExecutionView submitted :
                submitConcurrently(() -> session.submit("disk-pressure", "clean-disk", NODE, Map.of("PAUSE", "5")))) {
            ended.add(session.awaitOutcome(submitted));
        }
        var completed =
                ended.stream().filter(each -> each.hasPhase("Completed")).toList();
        var skipped = ended.stream().filter(each -> each.hasPhase("Skipped")).toList();
        String counts = "%d Completed, %d Skipped".formatted(completed.size(), skipped.size());
        session.expect("one of %d runs".formatted(ALERT_COUNT), completed.size() == 1, counts);
        ExecutionView winner = completed.isEmpty() ? ended.get(0) : completed.get(0);
        session.printResult(winner);
        skipped.stream().findFirst().ifPresent(session::printResult);
        session.printLine(
                "One ran, %d were Skipped; each names the execution that held the target.".formatted(skipped.size()));
        boolean named = skipped.size() == ALERT_COUNT - 1
                && skipped.stream()
                        .allMatch(each -> isSkipped(each, "ResourceBusy")
                                && each.conflictingExecution().equals(winner.name()));
        session.expect("the others name the holder", named, "ResourceBusy: held by " + winner.name());
        return winner;
    }

    private static List<ExecutionView> submitConcurrently(Callable<ExecutionView> submit)
            throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newFixedThreadPool(ALERT_COUNT);
        try {
            CountDownLatch start = new CountDownLatch(ALERT_COUNT);
            Callable<ExecutionView> submitTogether = () -> {
                start.countDown();
                start.await();
                return submit.call();
            };
            List<ExecutionView> submitted = new ArrayList<>();
            for (var response : callers.invokeAll(Collections.nCopies(ALERT_COUNT, submitTogether))) {
                submitted.add(response.get());
            }
            return submitted;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Returns the end of the cooldown. */
    private Instant playCooldown(ExecutionView completed) {
        session.startScene(
                "2. The cooldown", "The alert fires again. A workflow that just completed does not run again at once.");
        ExecutionView again = session.runAndPrint("too-soon", "clean-disk", NODE);
        session.expect(
                "no repeat during the cooldown",
                isSkipped(again, "RecentlyRemediated") && again.nextAllowed().isPresent(),
                "RecentlyRemediated: " + completed.name() + " completed just before");
        session.printLine("Another workflow may run: a cooldown applies to one workflow on one target.");
        ExecutionView other = session.runAndPrint("restart", "restart-service", NODE);
        session.expect("another workflow may run", other.hasPhase("Completed"), other.phase());
        return again.nextAllowed().orElse(session.now());
    }

    private void playPartialFailure() {
        session.startScene(
                "3. Failed halfway",
                "Certificates are replaced: the old ones are deleted, the new ones cannot be written. Another workflow could do more damage.");
        ExecutionView failed = session.runAndPrint("certificates", "rotate-certificates", GATEWAY);
        session.expect(
                "it failed during execution",
                failed.failedDuringExecution(),
                failed.reason() + ": task " + failed.text("/status/failureDetails/failedTaskName"));
        ExecutionView blocked = session.runAndPrint("restart", "restart-service", GATEWAY);
        session.expect(
                "the target is blocked until cleared", isSkipped(blocked, "PreviousExecutionFailed"), blocked.reason());
        session.printLine("A person repairs the target and clears it. Name and reason are recorded.");
        session.clearTarget(GATEWAY, "wrote the certificates by hand, they are good");
        ExecutionView repaired = session.runAndPrint("restart", "restart-service", GATEWAY);
        session.expect("after the clearance it runs", repaired.hasPhase("Completed"), repaired.phase());
    }

    private void playStartFailures() {
        session.startScene(
                "4. It cannot start",
                "The program of this workflow is not installed. Nothing was changed, so it may be retried, with growing delays.");
        ExecutionView last = session.runAndPrint("defragment", "missing-tool", STORAGE);
        List<Duration> delays = new ArrayList<>();
        while (last.hasPhase("Failed") && !last.failedDuringExecution() && delays.size() < MAX_FAILURES - 1) {
            Instant next = last.nextAllowed().orElse(session.now());
            delays.add(Duration.between(last.endedAt().orElse(next), next));
            if (delays.size() == MAX_FAILURES - 1) {
                playEarlyRetry(next);
            }
            session.waitUntil(next);
            last = session.runAndPrint("defragment", "missing-tool", STORAGE);
        }
        String shown = String.join(
                ", ", delays.stream().map(TimeFormat::formatDuration).toList());
        session.expect(
                "each delay is about twice the previous",
                delays.size() == MAX_FAILURES - 1 && last.hasPhase("Failed") && isDoubling(delays),
                "delays of " + shown);
        ExecutionView exhausted = session.runAndPrint("defragment", "missing-tool", STORAGE);
        session.expect(
                "after %d failures no retry until cleared".formatted(MAX_FAILURES),
                isSkipped(exhausted, "ExhaustedRetries"),
                exhausted.reason());
    }

    private void playEarlyRetry(Instant next) {
        session.printLine("A request before the end of the delay is Skipped with the time of the next attempt:");
        ExecutionView early = session.runAndPrint("defragment", "missing-tool", STORAGE);
        session.expect(
                "an early request is Skipped, and not counted",
                isSkipped(early, "RecentlyRemediated") && early.nextAllowed().equals(Optional.of(next)),
                early.reason() + ": allowed at " + next.truncatedTo(ChronoUnit.SECONDS));
    }

    private static boolean isSkipped(ExecutionView execution, String reason) {
        return execution.hasPhase("Skipped") && execution.reason().equals(reason);
    }

    /** The factor is 2, with the jitter of both delays. */
    private static boolean isDoubling(List<Duration> delays) {
        return IntStream.range(1, delays.size()).allMatch(i -> {
            double ratio = (double) delays.get(i).toMillis() / delays.get(i - 1).toMillis();
            return ratio > 1.6 && ratio < 2.5;
        });
    }

    private void playAfterCooldown(Instant allowed) {
        session.startScene(
                "5. After the cooldown",
                "The cooldown of %s ended by itself, so clean-disk may run again.".formatted(NODE));
        session.waitUntil(allowed);
        ExecutionView again = session.runAndPrint("disk-pressure", "clean-disk", NODE);
        session.expect("after the cooldown it runs again", again.hasPhase("Completed"), again.phase());
    }
}
