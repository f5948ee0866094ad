package dev.escapement.process.run;

import dev.escapement.governor.failure.RunEnd;
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

/** The folder of a run, as its files are described in {@code supervisor.sh}. */
public record RunFolder(Path path) {

    static final String PLAN_FILE = "plan";
    public static final String BEGUN_FILE = "begun";
    public static final String RESULT_FILE = "result";
    public static final String OVER_FILE = "over";
    public static final String LOG_FILE = "log";
    private static final String STOP_FILE = "stop";

    public Optional<RunPlan> readPlan() throws IOException {
        try {
            return RunPlanFile.read(path.resolve(PLAN_FILE));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    public Instant preparedAt() throws IOException {
        return modifiedAt(PLAN_FILE).orElse(Instant.EPOCH);
    }

    public Optional<RunOwner> owner() throws IOException {
        Path link = path.resolve(BEGUN_FILE);
        try {
            String target = Files.readSymbolicLink(link).toString();
            Instant at =
                    Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toInstant();
            return Optional.of(RunOwner.parse(target, at));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (NotLinkException notOurs) {
            return Optional.of(new RunOwner.Unreadable());
        }
    }

    /** Takes away the right to begin. Returns whether it was still there. */
    public boolean claimForRemoval() throws IOException {
        try {
            Files.createSymbolicLink(path.resolve(BEGUN_FILE), Path.of(RunOwner.REMOVED_LINK_TARGET));
            return true;
        } catch (FileAlreadyExistsException begun) {
            return false;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** Marks the run as one that must end. The first reason stays. Returns whether this was it. */
    public boolean requestStop(StopReason stop, String nonce) throws IOException {
        Path written = path.resolve("stop-" + nonce);
        try {
            Files.writeString(written, stop.serialize(), StandardCharsets.UTF_8);
            Files.createLink(path.resolve(STOP_FILE), written);
            return true;
        } catch (FileAlreadyExistsException already) {
            return false;
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException full) {
            // A run that has filled the disk must end all the same, and a short link needs no room for its text.
            return requestStop(stop.end());
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
                        StopReason.parse(Files.readSymbolicLink(stop) + " made to end, with no room left to write why"))
                : readText(STOP_FILE).map(StopReason::parse);
    }

    /** How many tasks have been let go, if it was that many before. */
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

    /** How far a task came; empty if it was never tried. */
    Optional<TaskEnd> readTaskEnd(int number) throws IOException {
        Optional<String> refused = readText(number + ".refused");
        if (refused.isPresent()) {
            return refused.map(TaskEnd::parseRefused);
        }
        Optional<Instant> begun = taskStartedAt(number);
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> ended = modifiedAt(number + ".ended");
        String how = readText(number + ".ended").orElse("");
        return Optional.of(ended.flatMap(at -> TaskEnd.parseEnded(how, begun.get(), at))
                .orElseGet(() -> new TaskEnd.Unfinished(begun.get())));
    }

    public boolean hasFile(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** The outcome in one word; nothing comes after it. */
    public Optional<String> result() throws IOException {
        return readText(RESULT_FILE).map(String::strip);
    }

    /** The outcome, while something may still hold the log open. */
    public Optional<String> preliminaryResult() throws IOException {
        return readText(OVER_FILE).map(String::strip);
    }

    public Optional<Instant> resultAt() throws IOException {
        return modifiedAt(RESULT_FILE);
    }

    /** Records the outcome of a run whose supervisor can no longer do so. */
    public void writeResult(String word, String nonce) throws IOException {
        Path written = path.resolve("result-" + nonce);
        Files.writeString(written, word + "\n", StandardCharsets.US_ASCII);
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
            // A task's complaint may quote a name that is no text.
            return Optional.of(new String(Files.readAllBytes(path.resolve(name)), StandardCharsets.UTF_8));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }
}
