package dev.escapement.cli.command.tools;

import dev.escapement.cli.output.ExecutionJsonView;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What the demo plays. Each scene says what will happen, lets it happen, and looks whether it did. */
final class DemoScenario {

    private static final String NODE = "node/worker-node-1";
    private static final String GATEWAY = "payment/deployment/gateway";
    private static final String STORAGE = "node/storage-node-7";
    private static final int ALERT_COUNT = 12;
    private static final int MAX_FAILURES = 5;

    private final DemoSession session;

    DemoScenario(DemoSession stage) {
        this.session = stage;
    }

    /** Plays all of it. */
    Void play() throws InterruptedException, ExecutionException {
        session.printLine(
                "Periods are shortened: the cooldown is 25s instead of 5m, the backoff 1s to 10s instead of 1m to 10m.");
        ExecutionJsonView cure = playAlertStorm();
        Instant again = playCooldown(cure);
        playPartialFailure();
        playStartFailures();
        playAfterCooldown(again);
        return null;
    }

    private ExecutionJsonView playAlertStorm() throws InterruptedException, ExecutionException {
        session.startScene(
                "1. A storm",
                "%s runs out of disk, and %d alerts ask for the same cure at the same instant."
                        .formatted(NODE, ALERT_COUNT));
        session.printCommand("run clean-disk " + NODE + " -p PAUSE=5        (" + ALERT_COUNT + " times)");
        List<ExecutionJsonView> ended = new ArrayList<>();
        for (ExecutionJsonView asked :
                submitConcurrently(() -> session.submit("disk-pressure", "clean-disk", NODE, Map.of("PAUSE", "5")))) {
            ended.add(session.awaitOutcome(asked));
        }
        List<ExecutionJsonView> ran =
                ended.stream().filter(each -> each.hasPhase("Completed")).toList();
        List<ExecutionJsonView> skipped =
                ended.stream().filter(each -> each.hasPhase("Skipped")).toList();
        session.expect(
                "one of %d runs".formatted(ALERT_COUNT),
                ran.size() == 1,
                "%d Completed, %d Skipped".formatted(ran.size(), skipped.size()));
        ExecutionJsonView winner = ran.isEmpty() ? ended.get(0) : ran.get(0);
        session.printResult(winner);
        skipped.stream().findFirst().ifPresent(session::printResult);
        session.printLine(
                "One ran, and the other %d were Skipped; each says who was in the way.".formatted(skipped.size()));
        boolean named = skipped.size() == ALERT_COUNT - 1
                && skipped.stream()
                        .allMatch(each -> each.reason().equals("ResourceBusy")
                                && each.conflictingExecution().equals(winner.name()));
        session.expect("the rest name the one that runs", named, "ResourceBusy: held by " + winner.name());
        return winner;
    }

    private static List<ExecutionJsonView> submitConcurrently(Callable<ExecutionJsonView> ask)
            throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newFixedThreadPool(ALERT_COUNT);
        try {
            CountDownLatch start = new CountDownLatch(ALERT_COUNT);
            List<Future<ExecutionJsonView>> answers = new ArrayList<>();
            for (int i = 0; i < ALERT_COUNT; i++) {
                answers.add(callers.submit(() -> {
                    start.countDown();
                    start.await();
                    return ask.call();
                }));
            }
            List<ExecutionJsonView> asked = new ArrayList<>();
            for (Future<ExecutionJsonView> answer : answers) {
                asked.add(answer.get());
            }
            return asked;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Returns when the same is allowed again. */
    private Instant playCooldown(ExecutionJsonView cure) {
        session.startScene(
                "2. The cooldown", "The alert fires once more. But what was done a moment ago is not done again.");
        ExecutionJsonView again = session.runAndPrint("too-soon", "clean-disk", NODE, Map.of());
        session.expect(
                "not again what was just done",
                again.hasPhase("Skipped")
                        && again.reason().equals("RecentlyRemediated")
                        && again.nextAllowed().isPresent(),
                "RecentlyRemediated: " + cure.name() + " completed just before");
        session.printLine("Another workflow may run at once: the cooldown is about this workflow on this target.");
        ExecutionJsonView other = session.runAndPrint("restart", "restart-service", NODE, Map.of());
        session.expect("another workflow may run", other.hasPhase("Completed"), other.phase());
        return again.nextAllowed().orElse(session.now());
    }

    private void playPartialFailure() {
        session.startScene(
                "3. Broken halfway",
                "Certificates are replaced: the old ones are gone, the new ones cannot be written. What runs next could make it worse.");
        ExecutionJsonView broken = session.runAndPrint("certificates", "rotate-certificates", GATEWAY, Map.of());
        session.expect(
                "it counts as failed during execution",
                broken.failedDuringExecution(),
                broken.reason() + ": task " + broken.text("/status/failureDetails/failedTaskName"));
        ExecutionJsonView blocked = session.runAndPrint("restart", "restart-service", GATEWAY, Map.of());
        session.expect(
                "nothing runs on it until a person says so",
                blocked.hasPhase("Skipped") && blocked.reason().equals("PreviousExecutionFailed"),
                blocked.reason());
        session.printLine("A person looks at it, repairs it, and says so. That is recorded, with name and reason.");
        session.clearTarget(GATEWAY, "wrote the certificates by hand, they are good");
        ExecutionJsonView repaired = session.runAndPrint("restart", "restart-service", GATEWAY, Map.of());
        session.expect("after the clearance it runs", repaired.hasPhase("Completed"), repaired.phase());
    }

    private void playStartFailures() {
        session.startScene(
                "4. It cannot start",
                "The program for this workflow is not installed. Nothing is broken by that, so it is tried again, slower and slower.");
        ExecutionJsonView last = session.runAndPrint("defragment", "missing-tool", STORAGE, Map.of());
        List<Duration> waits = new ArrayList<>();
        while (last.hasPhase("Failed") && !last.failedDuringExecution() && waits.size() < MAX_FAILURES - 1) {
            ExecutionJsonView failed = last;
            Instant next = failed.nextAllowed().orElse(session.now());
            waits.add(Duration.between(failed.endedAt().orElse(next), next));
            if (waits.size() == MAX_FAILURES - 1) {
                playEarlyRetry(next);
            }
            session.waitUntil(next);
            last = session.runAndPrint("defragment", "missing-tool", STORAGE, Map.of());
        }
        session.expect(
                "each wait is about twice the one before",
                waits.size() == MAX_FAILURES - 1 && last.hasPhase("Failed") && isDoubling(waits),
                "waits of "
                        + String.join(
                                ", ",
                                waits.stream().map(TimeFormat::formatDuration).toList()));
        ExecutionJsonView exhausted = session.runAndPrint("defragment", "missing-tool", STORAGE, Map.of());
        session.expect(
                "after %d it gives up until a person clears it".formatted(MAX_FAILURES),
                exhausted.hasPhase("Skipped") && exhausted.reason().equals("ExhaustedRetries"),
                exhausted.reason());
    }

    private void playEarlyRetry(Instant next) {
        session.printLine("Whoever does not wait is told until when:");
        ExecutionJsonView early = session.runAndPrint("defragment", "missing-tool", STORAGE, Map.of());
        session.expect(
                "too early is Skipped, and counts for nothing",
                early.hasPhase("Skipped")
                        && early.reason().equals("RecentlyRemediated")
                        && early.nextAllowed().equals(Optional.of(next)),
                early.reason() + ": allowed at " + next.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Twice, give or take the jitter of two waits. */
    private static boolean isDoubling(List<Duration> waits) {
        return IntStream.range(1, waits.size()).allMatch(i -> {
            double ratio = (double) waits.get(i).toMillis() / waits.get(i - 1).toMillis();
            return ratio > 1.6 && ratio < 2.5;
        });
    }

    private void playAfterCooldown(Instant allowed) {
        session.startScene(
                "5. And the node?",
                "Its cooldown ended by itself, so the same cure runs again: at once, nobody had to do anything.");
        session.waitUntil(allowed);
        ExecutionJsonView again = session.runAndPrint("disk-pressure", "clean-disk", NODE, Map.of());
        session.expect("after the cooldown it runs again", again.hasPhase("Completed"), again.phase());
    }
}
