package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.view.ExecutionView;
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
final class DemoScenes {

    private static final String NODE = "node/worker-node-1";
    private static final String GATEWAY = "payment/deployment/gateway";
    private static final String STORAGE = "node/storage-node-7";
    private static final int SIGNALS = 12;
    private static final int MOST_FAILURES = 5;

    private final DemoStage stage;

    DemoScenes(DemoStage stage) {
        this.stage = stage;
    }

    /** Plays all of it. */
    Void play() throws InterruptedException, ExecutionException {
        stage.say(
                "Periods are shortened: the cooldown is 25s instead of 5m, the backoff 1s to 10s instead of 1m to 10m.");
        ExecutionView cure = storm();
        Instant again = cooldown(cure);
        halfway();
        ladder();
        afterTheCooldown(again);
        return null;
    }

    private ExecutionView storm() throws InterruptedException, ExecutionException {
        stage.scene(
                "1. A storm",
                "%s runs out of disk, and %d alerts ask for the same cure at the same instant."
                        .formatted(NODE, SIGNALS));
        stage.type("run clean-disk " + NODE + " -p PAUSE=5        (" + SIGNALS + " times)");
        List<ExecutionView> ended = new ArrayList<>();
        for (ExecutionView asked : atOnce(() -> stage.ask("disk-pressure", "clean-disk", NODE, Map.of("PAUSE", "5")))) {
            ended.add(stage.outcome(asked));
        }
        List<ExecutionView> ran =
                ended.stream().filter(each -> each.is("Completed")).toList();
        List<ExecutionView> skipped =
                ended.stream().filter(each -> each.is("Skipped")).toList();
        stage.expect(
                "one of %d runs".formatted(SIGNALS),
                ran.size() == 1,
                "%d Completed, %d Skipped".formatted(ran.size(), skipped.size()));
        ExecutionView winner = ran.isEmpty() ? ended.get(0) : ran.get(0);
        stage.show(winner);
        skipped.stream().findFirst().ifPresent(stage::show);
        stage.say("One ran, and the other %d were Skipped; each says who was in the way.".formatted(skipped.size()));
        boolean named = skipped.size() == SIGNALS - 1
                && skipped.stream()
                        .allMatch(each -> each.reason().equals("ResourceBusy")
                                && each.conflicting().equals(winner.name()));
        stage.expect("the rest name the one that runs", named, "ResourceBusy: held by " + winner.name());
        return winner;
    }

    private static List<ExecutionView> atOnce(Callable<ExecutionView> ask)
            throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newFixedThreadPool(SIGNALS);
        try {
            CountDownLatch start = new CountDownLatch(SIGNALS);
            List<Future<ExecutionView>> answers = new ArrayList<>();
            for (int i = 0; i < SIGNALS; i++) {
                answers.add(callers.submit(() -> {
                    start.countDown();
                    start.await();
                    return ask.call();
                }));
            }
            List<ExecutionView> asked = new ArrayList<>();
            for (Future<ExecutionView> answer : answers) {
                asked.add(answer.get());
            }
            return asked;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Returns when the same is allowed again. */
    private Instant cooldown(ExecutionView cure) {
        stage.scene("2. The cooldown", "The alert fires once more. But what was done a moment ago is not done again.");
        ExecutionView again = stage.run("too-soon", "clean-disk", NODE, Map.of());
        stage.expect(
                "not again what was just done",
                again.is("Skipped")
                        && again.reason().equals("RecentlyRemediated")
                        && again.nextAllowed().isPresent(),
                "RecentlyRemediated: " + cure.name() + " completed just before");
        stage.say("Another workflow may run at once: the cooldown is about this workflow on this target.");
        ExecutionView other = stage.run("restart", "restart-service", NODE, Map.of());
        stage.expect("another workflow may run", other.is("Completed"), other.phase());
        return again.nextAllowed().orElse(stage.now());
    }

    private void halfway() {
        stage.scene(
                "3. Broken halfway",
                "Certificates are replaced: the old ones are gone, the new ones cannot be written. What runs next could make it worse.");
        ExecutionView broken = stage.run("certificates", "rotate-certificates", GATEWAY, Map.of());
        stage.expect(
                "it counts as failed during execution",
                broken.failedDuring(),
                broken.reason() + ": task " + broken.text("/status/failureDetails/failedTaskName"));
        ExecutionView blocked = stage.run("restart", "restart-service", GATEWAY, Map.of());
        stage.expect(
                "nothing runs on it until a person says so",
                blocked.is("Skipped") && blocked.reason().equals("PreviousExecutionFailed"),
                blocked.reason());
        stage.say("A person looks at it, repairs it, and says so. That is recorded, with name and reason.");
        stage.clear(GATEWAY, "wrote the certificates by hand, they are good");
        ExecutionView repaired = stage.run("restart", "restart-service", GATEWAY, Map.of());
        stage.expect("after the clearance it runs", repaired.is("Completed"), repaired.phase());
    }

    private void ladder() {
        stage.scene(
                "4. It cannot start",
                "The program for this workflow is not installed. Nothing is broken by that, so it is tried again, slower and slower.");
        ExecutionView last = stage.run("defragment", "missing-tool", STORAGE, Map.of());
        List<Duration> waits = new ArrayList<>();
        while (last.is("Failed") && !last.failedDuring() && waits.size() < MOST_FAILURES - 1) {
            ExecutionView failed = last;
            Instant next = failed.nextAllowed().orElse(stage.now());
            waits.add(Duration.between(failed.endedAt().orElse(next), next));
            if (waits.size() == MOST_FAILURES - 1) {
                tooEarly(next);
            }
            stage.until(next);
            last = stage.run("defragment", "missing-tool", STORAGE, Map.of());
        }
        stage.expect(
                "each wait is about twice the one before",
                waits.size() == MOST_FAILURES - 1 && last.is("Failed") && doubles(waits),
                "waits of " + String.join(", ", waits.stream().map(Times::about).toList()));
        ExecutionView exhausted = stage.run("defragment", "missing-tool", STORAGE, Map.of());
        stage.expect(
                "after %d it gives up until a person clears it".formatted(MOST_FAILURES),
                exhausted.is("Skipped") && exhausted.reason().equals("ExhaustedRetries"),
                exhausted.reason());
    }

    private void tooEarly(Instant next) {
        stage.say("Whoever does not wait is told until when:");
        ExecutionView early = stage.run("defragment", "missing-tool", STORAGE, Map.of());
        stage.expect(
                "too early is Skipped, and counts for nothing",
                early.is("Skipped")
                        && early.reason().equals("RecentlyRemediated")
                        && early.nextAllowed().equals(Optional.of(next)),
                early.reason() + ": allowed at " + next.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Twice, give or take the jitter of two waits. */
    private static boolean doubles(List<Duration> waits) {
        return IntStream.range(1, waits.size()).allMatch(i -> {
            double ratio = (double) waits.get(i).toMillis() / waits.get(i - 1).toMillis();
            return ratio > 1.6 && ratio < 2.5;
        });
    }

    private void afterTheCooldown(Instant allowed) {
        stage.scene(
                "5. And the node?",
                "Its cooldown ended by itself, so the same cure runs again: at once, nobody had to do anything.");
        stage.until(allowed);
        ExecutionView again = stage.run("disk-pressure", "clean-disk", NODE, Map.of());
        stage.expect("after the cooldown it runs again", again.is("Completed"), again.phase());
    }
}
