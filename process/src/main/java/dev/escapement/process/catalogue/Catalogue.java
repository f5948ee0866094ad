package dev.escapement.process.catalogue;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The workflows in a folder: one in each {@code .yaml} or {@code .yml} file. Every look finds the files as they are
 * now; a file that has not changed is not read again. A file with a problem is left out, and hides no other.
 *
 * <p>Safe for use by several threads.
 */
public final class Catalogue {

    private final Path folder;
    private CatalogueSnapshot snapshot = CatalogueSnapshot.EMPTY;

    /** @param folder need not exist yet */
    public Catalogue(Path folder) {
        this.folder = requireNonNull(folder, "folder is null").toAbsolutePath().normalize();
    }

    /** Where the files are. */
    public Path folder() {
        return folder;
    }

    /** All of them, by id and version. */
    public List<Workflow> workflows() {
        return refresh().workflows();
    }

    /** What is wrong with the files that were left out. */
    public List<CatalogueProblem> problems() {
        return refresh().problems();
    }

    /**
     * The workflow of that id.
     *
     * @param version empty for the highest that there is
     */
    public Optional<Workflow> find(String id, String version) {
        return refresh().workflows().stream()
                .filter(workflow -> workflow.id().equals(id))
                .filter(workflow -> version.isEmpty() || workflow.version().equals(version))
                .max(Comparator.comparing(Workflow::version, new VersionComparator()));
    }

    private synchronized CatalogueSnapshot refresh() {
        try {
            snapshot = snapshot.refresh(folder);
        } catch (IOException unreadable) {
            snapshot = CatalogueSnapshot.unreadable(folder, unreadable);
        }
        return snapshot;
    }
}
