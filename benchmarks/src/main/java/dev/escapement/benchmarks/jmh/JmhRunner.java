package dev.escapement.benchmarks.jmh;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
 * Measures one trial once, with JMH.
 *
 * @param effort how long to measure
 * @param log for the output of JMH
 */
public record JmhRunner(Effort effort, PrintStream log) {

    /** With shorter calls the whole benchmark takes minutes. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

    /** Several rounds, because two JVMs may compile the same code differently. */
    public enum Effort {
        QUICK(2, 2, 3, 150),
        FULL(4, 8, 4, 250);

        private final int rounds;
        private final int warmups;
        private final int iterations;
        private final long iterationMillis;

        Effort(int rounds, int warmups, int iterations, long millis) {
            this.rounds = rounds;
            this.warmups = warmups;
            this.iterations = iterations;
            this.iterationMillis = millis;
        }

        int rounds() {
            return rounds;
        }
    }

    /** Measures like {@link #measure(JmhTrial)}, if one call returns within the timeout. */
    public MeasurementOutcome measureIfCallReturns(JmhTrial trial, Callable<Object> once) throws InterruptedException {
        FutureTask<Object> task = new FutureTask<>(once);
        Thread thread = new Thread(task, "once");
        // A call that never returns must not keep the process running.
        thread.setDaemon(true);
        thread.start();
        try {
            task.get(CALL_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            return measure(trial);
        } catch (TimeoutException e) {
            return MeasurementOutcome.TimedOut.after(CALL_TIMEOUT);
        } catch (ExecutionException e) {
            e.printStackTrace(log);
            return new MeasurementOutcome.Failed(String.valueOf(e.getCause()));
        }
    }

    /** Measures in a JVM of its own. */
    public MeasurementOutcome measure(JmhTrial trial) {
        Options options = new OptionsBuilder()
                .include("\\Q" + trial.home().getName() + "." + trial.method() + "\\E$")
                .param(trial.parameter(), trial.value())
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(1)
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(TimeValue.milliseconds(effort.iterationMillis))
                .measurementIterations(effort.iterations)
                .measurementTime(TimeValue.milliseconds(effort.iterationMillis))
                .addProfiler(GCProfiler.class)
                // Waits for the compiler: on a busy machine it would not finish before the end of the warm-up.
                .jvmArgsAppend("-Xms1g", "-Xmx1g", "-Xbatch")
                .shouldFailOnError(true)
                .build();
        try {
            return toOutcome(
                    new Runner(options, OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL)).runSingle());
        } catch (RunnerException e) {
            e.printStackTrace(log);
            return new MeasurementOutcome.Failed(String.valueOf(e.getMessage()));
        }
    }

    private static MeasurementOutcome toOutcome(RunResult result) {
        Result<?> allocation = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocation == null) {
            throw new IllegalStateException("JMH's gc profiler reported only "
                    + result.getSecondaryResults().keySet());
        }
        return new MeasurementOutcome.Measured(samples(result.getPrimaryResult()), samples(allocation));
    }

    private static List<Double> samples(Result<?> result) {
        List<Double> samples = new ArrayList<>();
        result.getStatistics().getRawData().forEachRemaining(sample -> samples.add(sample.getKey()));
        return samples;
    }
}
