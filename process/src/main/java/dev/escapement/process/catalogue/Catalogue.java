package dev.escapement.process.catalogue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The workflows of a folder, one in each {@code .yaml} or {@code .yml} file. Every call reads the files that have
 * changed. A file with an error is ignored and reported by {@link #problems}.
 *
 * <p>Thread-safe.
 */
public final class Catalogue {

    private final Path folder;
    private CatalogueSnapshot snapshot = CatalogueSnapshot.EMPTY;

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
