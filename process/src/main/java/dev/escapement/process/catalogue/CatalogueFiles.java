package dev.escapement.process.catalogue;

import dev.escapement.governor.SafeText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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

/** What the files of a folder said when they were last read. Never changes; {@link #refresh} gives the next. */
record CatalogueFiles(Map<Path, Content> contents, List<Workflow> workflows, List<Problem> problems) {

    static final CatalogueFiles NONE = new CatalogueFiles(Map.of(), List.of(), List.of());

    private static final long LARGEST = 1 << 20;
    private static final int LONGEST_MESSAGE = 300;

    /** Tells two states of a file apart: an edit changes its time or its size, a replacement its key. */
    record Stamp(FileTime modified, long size, Optional<Object> key) {}

    /** One file as it was read. */
    record Content(Stamp stamp, Optional<Workflow> workflow, List<Problem> problems) {}

    static CatalogueFiles unreadable(Path folder, IOException why) {
        String what = why instanceof NoSuchFileException
                ? "the folder does not exist: create it, or name another one"
                : "the folder cannot be read: " + SafeText.sanitize(String.valueOf(why.getMessage()), LONGEST_MESSAGE);
        return new CatalogueFiles(
                Map.of(), List.of(), List.of(new Problem(folder.toString(), Optional.empty(), "", what)));
    }

    CatalogueFiles refresh(Path folder) throws IOException {
        Map<Path, Content> now = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, CatalogueFiles::isOne)) {
            for (Path file : files) {
                now.put(file, look(file));
            }
        }
        // An empty one may have been unreadable before.
        return now.equals(contents) && !now.isEmpty() ? this : of(now);
    }

    private static boolean isOne(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
    }

    private Content look(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Stamp stamp = new Stamp(
                    attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
            Content before = contents.get(file);
            return before != null && before.stamp().equals(stamp) ? before : read(file, stamp);
        } catch (IOException unreadable) {
            Stamp none = new Stamp(FileTime.fromMillis(0), -1, Optional.empty());
            return failed(file, none, "cannot be read: " + unreadable.getMessage());
        }
    }

    private static Content read(Path file, Stamp stamp) throws IOException {
        if (stamp.size() > LARGEST) {
            return failed(file, stamp, "has " + stamp.size() + " bytes: a workflow has at most " + LARGEST);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            Problems problems = new Problems(file.getFileName().toString());
            Path folder = Optional.ofNullable(file.getParent()).orElse(file);
            return new Content(stamp, WorkflowReader.read(folder, text, problems), problems.found());
        } catch (CharacterCodingException notText) {
            return failed(file, stamp, "is no UTF-8 text: save it as UTF-8");
        }
    }

    private static Content failed(Path file, Stamp stamp, String message) {
        String name = file.getFileName().toString();
        String plain = SafeText.sanitize(message, LONGEST_MESSAGE);
        return new Content(stamp, Optional.empty(), List.of(new Problem(name, Optional.empty(), "", plain)));
    }

    /** Of two files with the same workflow, the one whose name comes first counts. */
    private static CatalogueFiles of(Map<Path, Content> contents) {
        Map<String, Path> owners = new HashMap<>();
        List<Workflow> workflows = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        contents.forEach((file, content) -> {
            problems.addAll(content.problems());
            content.workflow().ifPresent(workflow -> {
                Path owner = owners.putIfAbsent(workflow.label(), file);
                if (owner == null) {
                    workflows.add(workflow);
                } else {
                    problems.add(taken(file, workflow, owner));
                }
            });
        });
        workflows.sort(Comparator.comparing(Workflow::id).thenComparing(Workflow::version, new VersionOrder()));
        return new CatalogueFiles(contents, List.copyOf(workflows), List.copyOf(problems));
    }

    private static Problem taken(Path file, Workflow workflow, Path owner) {
        return new Problem(
                file.getFileName().toString(),
                Optional.empty(),
                "id",
                "workflow %s is in %s already: give this one another id or version"
                        .formatted(workflow.label(), owner.getFileName()));
    }
}
