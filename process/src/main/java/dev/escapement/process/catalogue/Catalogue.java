package dev.escapement.process.catalogue;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The workflows of a folder, one in each {@code .yaml} or {@code .yml} file. Every call reads the files that have
 * changed. A file with an error is ignored and reported by {@link #problems}.
 *
 * <p>Thread-safe.
 */
public final class Catalogue {

    /** Hidden files are not part of the catalogue. */
    private static final String WORKFLOW_FILES = "[!.]*.{yaml,yml}";

    private static final long MAX_FILE_BYTES = 1 << 20;

    private final Path folder;
    private Snapshot snapshot = new Snapshot(Map.of(), List.of(), List.of());

    /** The content of the folder when it was last read. */
    private record Snapshot(
            Map<Path, ParsedFile> parsedFiles, List<Workflow> workflows, List<CatalogueProblem> problems) {}

    record ParsedFile(FileStamp stamp, Optional<Workflow> workflow, List<CatalogueProblem> problems) {}

    /** Detects changes of a file: an edit changes its time or size, a replacement its key. */
    record FileStamp(FileTime modified, long size, Optional<Object> key) {}

    /** @param folder need not exist yet */
    public Catalogue(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    public Path folder() {
        return folder;
    }

    /** Returns all workflows, sorted by id and version. */
    public List<Workflow> workflows() {
        return refresh().workflows();
    }

    public List<CatalogueProblem> problems() {
        return refresh().problems();
    }

    /**
     * Finds a workflow.
     *
     * @param version empty for the highest version
     */
    public Optional<Workflow> find(String id, String version) {
        return workflows().stream()
                .filter(workflow -> workflow.id().equals(id))
                .filter(workflow -> version.isEmpty() || workflow.version().equals(version))
                .max(Workflow.ORDER);
    }

    private synchronized Snapshot refresh() {
        Map<Path, ParsedFile> current = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, WORKFLOW_FILES)) {
            for (Path file : files) {
                current.put(file, readIfChanged(file));
            }
            // A snapshot without files may have the problem of an unreadable folder.
            if (current.isEmpty() || !current.equals(snapshot.parsedFiles())) {
                snapshot = toSnapshot(current);
            }
        } catch (IOException unreadable) {
            String message = unreadable instanceof NoSuchFileException
                    ? "the folder does not exist: create it, or choose another one"
                    : "the folder cannot be read: " + unreadable.getMessage();
            var problem = CatalogueProblem.of(folder.toString(), message);
            snapshot = new Snapshot(Map.of(), List.of(), List.of(problem));
        }
        return snapshot;
    }

    private ParsedFile readIfChanged(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            FileStamp stamp = new FileStamp(
                    attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
            ParsedFile before = snapshot.parsedFiles().get(file);
            return before != null && before.stamp().equals(stamp) ? before : read(file, stamp);
        } catch (IOException unreadable) {
            FileStamp none = new FileStamp(FileTime.fromMillis(0), -1, Optional.empty());
            return unreadableFile(file, none, "cannot be read: " + unreadable.getMessage());
        }
    }

    private ParsedFile read(Path file, FileStamp stamp) throws IOException {
        if (stamp.size() > MAX_FILE_BYTES) {
            return unreadableFile(file, stamp, "has " + stamp.size() + " bytes: the limit is " + MAX_FILE_BYTES);
        }
        try {
            String text = Files.readString(file);
            var problems = new CatalogueProblem.Collector(file.getFileName().toString(), new ArrayList<>());
            Optional<Workflow> workflow = WorkflowReader.read(folder, text, problems);
            return new ParsedFile(stamp, workflow, List.copyOf(problems.problems()));
        } catch (CharacterCodingException notText) {
            return unreadableFile(file, stamp, "is not UTF-8 text: save it as UTF-8");
        }
    }

    private static ParsedFile unreadableFile(Path file, FileStamp stamp, String message) {
        String name = file.getFileName().toString();
        return new ParsedFile(stamp, Optional.empty(), List.of(CatalogueProblem.of(name, message)));
    }

    /** Of two files with the same workflow, the one with the first name in alphabetical order is used. */
    private static Snapshot toSnapshot(Map<Path, ParsedFile> parsedFiles) {
        Map<String, Path> owners = new HashMap<>();
        List<Workflow> workflows = new ArrayList<>();
        List<CatalogueProblem> problems = new ArrayList<>();
        parsedFiles.forEach((file, parsed) -> {
            problems.addAll(parsed.problems());
            parsed.workflow().ifPresent(workflow -> {
                Path owner = owners.putIfAbsent(workflow.label(), file);
                if (owner == null) {
                    workflows.add(workflow);
                } else {
                    String message = "workflow %s is already defined in %s: change the id or version of this one"
                            .formatted(workflow.label(), owner.getFileName());
                    problems.add(new CatalogueProblem(file.getFileName().toString(), Optional.empty(), "id", message));
                }
            });
        });
        workflows.sort(Workflow.ORDER);
        return new Snapshot(parsedFiles, List.copyOf(workflows), List.copyOf(problems));
    }
}
