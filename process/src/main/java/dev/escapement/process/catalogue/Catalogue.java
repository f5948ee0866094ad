package dev.escapement.process.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.engine.execution.ExecutionSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows of a folder, one in each {@code .yaml} or {@code .yml} file. Every call reads the files that have
 * changed. A file with an error is ignored and reported by {@link #problems}.
 *
 * <p>Thread-safe.
 */
public final class Catalogue {

    private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

    /** Hidden files are not part of the catalogue. */
    private static final String WORKFLOW_FILES = "[!.]*.{yaml,yml}";

    private static final int MAX_FILE_BYTES = 1 << 20;

    private final Path folder;
    private final WorkflowReader.Format format;
    private Snapshot snapshot = new Snapshot(Map.of(), List.of(), List.of());

    /** The content of the folder when it was last read. */
    private record Snapshot(
            Map<Path, ParsedFile> parsedFiles, List<Workflow> workflows, List<CatalogueProblem> problems) {}

    record ParsedFile(FileStamp stamp, Optional<Workflow> workflow, List<CatalogueProblem> problems) {}

    /** Detects changes of a file: an edit changes its time or size, a replacement its key. */
    record FileStamp(FileTime modified, long size, Optional<Object> key) {}

    /** @param folder need not exist yet */
    public Catalogue(Path folder) {
        this(folder, WorkflowReader.Format.RUNNABLE);
    }

    private Catalogue(Path folder, WorkflowReader.Format format) {
        this.folder = folder.toAbsolutePath().normalize();
        this.format = format;
    }

    /** Opens a folder whose files only declare the parameters of workflows that run elsewhere. */
    public static Catalogue ofDeclarations(Path folder) {
        return new Catalogue(folder, WorkflowReader.Format.DECLARATION);
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

    /**
     * Returns the problems of the parameters of a request, in one line; empty if they are valid or the workflow is not
     * declared. A file without a version declares all versions that no other file declares.
     */
    public Optional<String> findParameterProblem(ExecutionSpec spec) {
        String id = spec.workflow().workflowId();
        return find(id, spec.workflow().version())
                .or(() -> workflows().stream()
                        .filter(workflow ->
                                workflow.id().equals(id) && workflow.version().isEmpty())
                        .findFirst())
                .map(workflow -> RunArguments.validate(spec, workflow))
                .filter(arguments -> !arguments.problems().isEmpty())
                .map(RunArguments::describeProblems);
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
        FileStamp none = new FileStamp(FileTime.fromMillis(0), -1, Optional.empty());
        try {
            Path realFile = file.toRealPath();
            if (!realFile.startsWith(folder.toRealPath())) {
                // Parse errors quote the content, which callers of the API read.
                return unreadableFile(file, none, "is a link to a file outside of the folder: copy the file instead");
            }
            BasicFileAttributes attributes = Files.readAttributes(realFile, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                // To open a pipe waits until another process writes to it.
                return unreadableFile(file, none, "is not a regular file: remove it, or rename it");
            }
            FileStamp stamp = new FileStamp(
                    attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
            ParsedFile before = snapshot.parsedFiles().get(file);
            return before != null && before.stamp().equals(stamp) ? before : read(file, realFile, stamp);
        } catch (IOException unreadable) {
            return unreadableFile(file, none, "cannot be read: " + unreadable.getMessage());
        }
    }

    private ParsedFile read(Path file, Path realFile, FileStamp stamp) throws IOException {
        byte[] content;
        try (InputStream input = Files.newInputStream(realFile)) {
            content = input.readNBytes(MAX_FILE_BYTES + 1);
        }
        if (content.length > MAX_FILE_BYTES) {
            return unreadableFile(file, stamp, "has more than " + MAX_FILE_BYTES + " bytes, which is the limit");
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            var problems = new CatalogueProblem.Collector(file.getFileName().toString(), new ArrayList<>());
            Optional<Workflow> workflow = WorkflowReader.read(folder, format, text, problems);
            return new ParsedFile(stamp, workflow, List.copyOf(problems.problems()));
        } catch (CharacterCodingException notText) {
            return unreadableFile(file, stamp, "is not UTF-8 text: save it as UTF-8");
        } catch (RuntimeException | StackOverflowError bug) {
            // One file must not make the others unusable.
            LOG.error("Workflow file {} could not be checked and is ignored", file, bug);
            return unreadableFile(file, stamp, "could not be checked: " + bug);
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
