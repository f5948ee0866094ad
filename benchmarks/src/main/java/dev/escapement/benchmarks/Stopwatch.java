package dev.escapement.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures one cell of the table once, with JMH.
 *
 * @param effort how long to measure
 * @param log where JMH tells its story
 */
record Stopwatch(Effort effort, PrintStream log) {

    /** Below this even the longest iteration ends soon enough to keep the whole run within minutes. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Several rounds, because two JVMs may compile the same code differently. */
    enum Effort {
        QUICK(2, 2, 3, 150),
        FULL(5, 3, 4, 250);

        private final int rounds;
        private final int warmups;
        private final int iterations;
        private final long millis;

        Effort(int rounds, int warmups, int iterations, long millis) {
            this.rounds = rounds;
            this.warmups = warmups;
            this.iterations = iterations;
            this.millis = millis;
        }

        int rounds() {
            return rounds;
        }
    }

    /** In a JVM of its own. */
    Outcome measure(Contender contender, int attempt) throws InterruptedException {
        // First whether it ends at all. A daemon thread: if the call never does, the run still can.
        FutureTask<Object> once = new FutureTask<>(() -> contender.ask(attempt));
        Thread thread = new Thread(once, "once");
        thread.setDaemon(true);
        thread.start();
        try {
            once.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            return runJmh(contender, attempt);
        } catch (TimeoutException e) {
            return Outcome.GivenUp.after(PATIENCE);
        } catch (ExecutionException e) {
            e.printStackTrace(log);
            return new Outcome.Threw(String.valueOf(e.getCause()));
        }
    }

    private Outcome runJmh(Contender contender, int attempt) {
        Options options = new OptionsBuilder()
                .include("\\Q" + BackoffBenchmark.class.getName() + "." + contender.benchmark() + "\\E$")
                .param("attempt", Integer.toString(attempt))
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(1)
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(TimeValue.milliseconds(effort.millis))
                .measurementIterations(effort.iterations)
                .measurementTime(TimeValue.milliseconds(effort.millis))
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend("-Xms1g", "-Xmx1g")
                .shouldFailOnError(true)
                .build();
        try {
            return outcome(
                    new Runner(options, OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL)).runSingle());
        } catch (RunnerException e) {
            e.printStackTrace(log);
            return new Outcome.Threw(String.valueOf(e.getMessage()));
        }
    }

    private static Outcome outcome(RunResult result) {
        Result<?> allocation = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocation == null) {
            throw new IllegalStateException("JMH's gc profiler reported only "
                    + result.getSecondaryResults().keySet());
        }
        return new Outcome.Measured(samples(result.getPrimaryResult()), samples(allocation));
    }

    private static List<Double> samples(Result<?> result) {
        List<Double> samples = new ArrayList<>();
        result.getStatistics().getRawData().forEachRemaining(sample -> samples.add(sample.getKey()));
        return samples;
    }
}
