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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The content of a folder when it was last read. Immutable; {@link #refresh} returns the next snapshot. */
record CatalogueSnapshot(Map<Path, ParsedFile> parsedFiles, List<Workflow> workflows, List<CatalogueProblem> problems) {

    static final CatalogueSnapshot EMPTY = new CatalogueSnapshot(Map.of(), List.of(), List.of());

    private static final long MAX_FILE_BYTES = 1 << 20;

    /** Detects changes of a file: an edit changes its time or size, a replacement its key. */
    record FileStamp(FileTime modified, long size, Optional<Object> key) {}

    record ParsedFile(FileStamp stamp, Optional<Workflow> workflow, List<CatalogueProblem> problems) {}

    static CatalogueSnapshot unreadable(Path folder, IOException cause) {
        String message = cause instanceof NoSuchFileException
                ? "the folder does not exist: create it, or choose another one"
                : "the folder cannot be read: " + cause.getMessage();
        return new CatalogueSnapshot(Map.of(), List.of(), List.of(CatalogueProblem.of(folder.toString(), message)));
    }

    CatalogueSnapshot refresh(Path folder) throws IOException {
        Map<Path, ParsedFile> current = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, CatalogueSnapshot::isWorkflowFile)) {
            for (Path file : files) {
                current.put(file, readIfChanged(file));
            }
        }
        // A snapshot without files may have the problem of an unreadable folder.
        return current.equals(parsedFiles) && !current.isEmpty() ? this : of(current);
    }

    private static boolean isWorkflowFile(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
    }

    private ParsedFile readIfChanged(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            FileStamp stamp = new FileStamp(
                    attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
            ParsedFile before = parsedFiles.get(file);
            return before != null && before.stamp().equals(stamp) ? before : read(file, stamp);
        } catch (IOException unreadable) {
            FileStamp none = new FileStamp(FileTime.fromMillis(0), -1, Optional.empty());
            return unreadableFile(file, none, "cannot be read: " + unreadable.getMessage());
        }
    }

    private static ParsedFile read(Path file, FileStamp stamp) throws IOException {
        if (stamp.size() > MAX_FILE_BYTES) {
            return unreadableFile(file, stamp, "has " + stamp.size() + " bytes: the limit is " + MAX_FILE_BYTES);
        }
        try {
            String text = Files.readString(file);
            var problems = new CatalogueProblemCollector(file.getFileName().toString());
            Path folder = Optional.ofNullable(file.getParent()).orElse(file);
            return new ParsedFile(stamp, WorkflowReader.read(folder, text, problems), problems.problems());
        } catch (CharacterCodingException notText) {
            return unreadableFile(file, stamp, "is not UTF-8 text: save it as UTF-8");
        }
    }

    private static ParsedFile unreadableFile(Path file, FileStamp stamp, String message) {
        String name = file.getFileName().toString();
        return new ParsedFile(stamp, Optional.empty(), List.of(CatalogueProblem.of(name, message)));
    }

    /** Of two files with the same workflow, the one with the first name in alphabetical order is used. */
    private static CatalogueSnapshot of(Map<Path, ParsedFile> parsedFiles) {
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
        workflows.sort(Comparator.comparing(Workflow::id).thenComparing(Workflow::version, new VersionComparator()));
        return new CatalogueSnapshot(parsedFiles, List.copyOf(workflows), List.copyOf(problems));
    }
}
