package dev.escapement.process.run;

import dev.escapement.common.SafeText;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.StepState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The folder of a run; {@code supervisor.sh} describes its files.
 *
 * @param random for names of temporary files
 */
public record RunFolder(Path path, RandomGenerator random) {

    static final String PLAN_FILE = "plan";
    public static final String BEGUN_FILE = "begun";
    public static final String RESULT_FILE = "result";
    public static final String OVER_FILE = "over";
    private static final String LOG_FILE = "log";
    private static final String STOP_FILE = "stop";

    /**
     * Why a run is stopped.
     *
     * @param end {@link RunEnd#CANCELLED} or {@link RunEnd#TIMED_OUT}
     */
    public record StopReason(RunEnd end, String message) {

        private static final int MAX_MESSAGE_LENGTH = 500;

        public static StopReason cancelled(String by) {
            return new StopReason(RunEnd.CANCELLED, "cancelled by " + SafeText.sanitize(by, MAX_MESSAGE_LENGTH));
        }

        public static StopReason timedOut(String message) {
            return new StopReason(RunEnd.TIMED_OUT, message);
        }

        String serialize() {
            return end + " " + SafeText.sanitize(message, MAX_MESSAGE_LENGTH) + "\n";
        }

        static StopReason parse(String text) {
            int space = text.indexOf(' ');
            boolean timedOut = text.startsWith(RunEnd.TIMED_OUT.name());
            return new StopReason(
                    timedOut ? RunEnd.TIMED_OUT : RunEnd.CANCELLED,
                    text.substring(space + 1).strip());
        }
    }

    /** Returns the name of the folder, which identifies the run's execution. */
    public String key() {
        return path.getFileName().toString();
    }

    public Optional<RunPlan> readPlan() throws IOException {
        try {
            return RunPlan.readFile(path.resolve(PLAN_FILE));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    public OutputLog log() {
        return new OutputLog(path.resolve(LOG_FILE));
    }

    public Instant preparedAt() throws IOException {
        return modifiedAt(PLAN_FILE).orElse(Instant.EPOCH);
    }

    public Optional<RunClaim> owner() throws IOException {
        Path link = path.resolve(BEGUN_FILE);
        try {
            String target = Files.readSymbolicLink(link).toString();
            Instant at =
                    Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toInstant();
            return Optional.of(RunClaim.parse(target, at));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (NotLinkException notOurs) {
            return Optional.of(new RunClaim.Unreadable());
        }
    }

    /** Prevents the run from being started. Returns false if it was started or removed before. */
    public boolean claimForRemoval() throws IOException {
        try {
            Files.createSymbolicLink(path.resolve(BEGUN_FILE), Path.of(RunClaim.REMOVED_LINK_TARGET));
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException startedOrRemoved) {
            return false;
        }
    }

    /** Requests that the run ends. Returns false if a stop was requested before: the first reason remains. */
    public boolean requestStop(StopReason reason) throws IOException {
        Path written = path.resolve("stop-" + RunFolderStore.randomSuffix(random));
        try {
            Files.writeString(written, reason.serialize(), StandardCharsets.UTF_8);
            Files.createLink(path.resolve(STOP_FILE), written);
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException stoppedOrRemoved) {
            return false;
        } catch (IOException diskFull) {
            // A run that filled the disk must be stoppable, and a short symbolic link needs no data block.
            return requestStop(reason.end());
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private boolean requestStop(RunEnd end) throws IOException {
        try {
            Files.createSymbolicLink(path.resolve(STOP_FILE), Path.of(end.name()));
            return true;
        } catch (FileAlreadyExistsException already) {
            return false;
        }
    }

    public Optional<StopReason> stopReason() throws IOException {
        Path stop = path.resolve(STOP_FILE);
        return Files.isSymbolicLink(stop)
                ? Optional.of(
                        StopReason.parse(Files.readSymbolicLink(stop) + " stopped; no disk space to record the reason"))
                : readText(STOP_FILE).map(StopReason::parse);
    }

    /** Returns the number of started tasks, given the number at the last call. */
    public int countStartedTasks(int before, int total) {
        int number = before;
        while (number < total && hasFile((number + 1) + ".begun")) {
            number++;
        }
        return number;
    }

    public Optional<Instant> taskStartedAt(int number) throws IOException {
        return modifiedAt(number + ".begun");
    }

    /** Returns how a task ended; empty if it was never attempted. */
    Optional<StepState> readTaskEnd(int number) throws IOException {
        Optional<String> refused = readText(number + ".refused");
        if (refused.isPresent()) {
            // Reason and message, such as "CommandNotFound there is no program drain".
            String[] parts = refused.get().strip().split(" ", 2);
            return Optional.of(new StepState.NeverStarted(parts[0], parts.length < 2 ? "" : parts[1].strip()));
        }
        Optional<Instant> startedAt = taskStartedAt(number);
        // Such as "exit 3" or "signal 9"; missing or incomplete if the supervisor was killed.
        String end = readText(number + ".ended").orElse("").strip();
        return startedAt.map(at ->
                new StepState.Terminated(parseNumber("exit ", end), parseNumber("signal ", end), "", "", startedAt));
    }

    private static Optional<Integer> parseNumber(String prefix, String end) {
        return end.matches(prefix + "\\d{1,3}")
                ? Optional.of(Integer.valueOf(end.substring(prefix.length())))
                : Optional.empty();
    }

    public boolean hasFile(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the final outcome in one word. */
    public Optional<String> result() throws IOException {
        return readText(RESULT_FILE).map(String::strip);
    }

    /** Returns the outcome of the tasks, while some process may still hold the log open. */
    public Optional<String> preliminaryResult() throws IOException {
        return readText(OVER_FILE).map(String::strip);
    }

    public Optional<Instant> resultAt() throws IOException {
        return modifiedAt(RESULT_FILE);
    }

    /** Writes the outcome of a run whose supervisor is gone. */
    public void writeResult(String result) throws IOException {
        Path written = path.resolve("result-" + RunFolderStore.randomSuffix(random));
        Files.writeString(written, result + "\n", StandardCharsets.US_ASCII);
        Files.move(written, path.resolve(RESULT_FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    private Optional<Instant> modifiedAt(String name) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(path.resolve(name)).toInstant());
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private Optional<String> readText(String name) throws IOException {
        try {
            // Not readString: a message may contain a file name that is not valid UTF-8.
            return Optional.of(new String(Files.readAllBytes(path.resolve(name)), StandardCharsets.UTF_8));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }
}
