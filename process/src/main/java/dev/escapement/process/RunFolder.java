package dev.escapement.process;

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
record RunFolder(Path path) {

    static final String PLAN = "plan";
    static final String BEGUN = "begun";
    static final String RESULT = "result";
    static final String OVER = "over";
    static final String LOG = "log";
    private static final String STOP = "stop";

    Optional<Plan> plan() throws IOException {
        try {
            return PlanFile.read(path.resolve(PLAN));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    Instant preparedAt() throws IOException {
        return time(PLAN).orElse(Instant.EPOCH);
    }

    Optional<Claim> claim() throws IOException {
        Path link = path.resolve(BEGUN);
        try {
            String target = Files.readSymbolicLink(link).toString();
            Instant at =
                    Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toInstant();
            return Optional.of(Claim.parse(target, at));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (NotLinkException notOurs) {
            return Optional.of(new Claim.Unreadable());
        }
    }

    /** Takes away the right to begin. Returns whether it was still there. */
    boolean claimForRemoval() throws IOException {
        try {
            Files.createSymbolicLink(path.resolve(BEGUN), Path.of(Claim.REMOVED));
            return true;
        } catch (FileAlreadyExistsException begun) {
            return false;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** Marks the run as one that must end. The first reason stays. Returns whether this was it. */
    boolean requestStop(Stop stop, String nonce) throws IOException {
        Path written = path.resolve("stop-" + nonce);
        try {
            Files.writeString(written, stop.write(), StandardCharsets.UTF_8);
            Files.createLink(path.resolve(STOP), written);
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
            Files.createSymbolicLink(path.resolve(STOP), Path.of(end.name()));
            return true;
        } catch (FileAlreadyExistsException already) {
            return false;
        }
    }

    Optional<Stop> stop() throws IOException {
        Path stop = path.resolve(STOP);
        return Files.isSymbolicLink(stop)
                ? Optional.of(Stop.parse(Files.readSymbolicLink(stop) + " made to end, with no room left to write why"))
                : text(STOP).map(Stop::parse);
    }

    /** How many tasks have been let go, if it was that many before. */
    int begun(int before, int total) {
        int number = before;
        while (number < total && has((number + 1) + ".begun")) {
            number++;
        }
        return number;
    }

    Optional<Instant> begunAt(int number) throws IOException {
        return time(number + ".begun");
    }

    /** How far a task came; empty if it was never tried. */
    Optional<TaskEnd> task(int number) throws IOException {
        Optional<String> refused = text(number + ".refused");
        if (refused.isPresent()) {
            return refused.map(TaskEnd::refused);
        }
        Optional<Instant> begun = begunAt(number);
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> ended = time(number + ".ended");
        String how = text(number + ".ended").orElse("");
        return Optional.of(ended.flatMap(at -> TaskEnd.ended(how, begun.get(), at))
                .orElseGet(() -> new TaskEnd.CutOff(begun.get())));
    }

    boolean has(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** The outcome in one word; nothing comes after it. */
    Optional<String> result() throws IOException {
        return text(RESULT).map(String::strip);
    }

    /** The outcome, while something may still hold the log open. */
    Optional<String> over() throws IOException {
        return text(OVER).map(String::strip);
    }

    Optional<Instant> resultAt() throws IOException {
        return time(RESULT);
    }

    /** Records the outcome of a run whose supervisor can no longer do so. */
    void writeResult(String word, String nonce) throws IOException {
        Path written = path.resolve("result-" + nonce);
        Files.writeString(written, word + "\n", StandardCharsets.US_ASCII);
        Files.move(written, path.resolve(RESULT), StandardCopyOption.ATOMIC_MOVE);
    }

    private Optional<Instant> time(String name) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(path.resolve(name)).toInstant());
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private Optional<String> text(String name) throws IOException {
        try {
            // A task's complaint may quote a name that is no text.
            return Optional.of(new String(Files.readAllBytes(path.resolve(name)), StandardCharsets.UTF_8));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }
}
