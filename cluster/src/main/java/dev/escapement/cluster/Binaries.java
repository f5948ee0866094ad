package dev.escapement.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder with the programs of a cluster and with Tekton's manifests, as {@code dev/cluster} makes it.
 *
 * @param folder holds the programs, and Tekton's manifests below {@code tekton-config}
 */
public record Binaries(Path folder) {

    /** The variable that names the folder. */
    public static final String VARIABLE = "ESCAPEMENT_CLUSTER_BIN";

    private static final List<String> CONTROL_PLANE =
            List.of("etcd", "kube-apiserver", "kube-controller-manager", "kubectl");
    private static final List<String> TEKTON = List.of("tekton-controller", "tekton-webhook", "tekton-resolvers");

    /**
     * Where the binaries are or would be: the folder that the environment names, else the cache of {@code dev/cluster}.
     */
    public static Binaries of(Map<String, String> environment, Path home) {
        return given(environment, VARIABLE)
                .map(folder -> new Binaries(Path.of(folder)))
                .orElseGet(() -> new Binaries(given(environment, "XDG_CACHE_HOME")
                        .map(Path::of)
                        .orElseGet(() -> home.resolve(".cache"))
                        .resolve("escapement/cluster")
                        .resolve(Versions.pinned().key())));
    }

    /** Those of this process's environment. */
    public static Binaries ofThisProcess() {
        return of(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /** What is not there; empty if everything is. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (List<String> names : List.of(CONTROL_PLANE, TEKTON)) {
            names.stream()
                    .filter(name -> !Files.isExecutable(folder.resolve(name)))
                    .forEach(missing::add);
        }
        if (!Files.isDirectory(tektonConfig())) {
            missing.add("tekton-config");
        }
        return missing;
    }

    /** For whoever wanted a cluster and cannot have one: what is missing and how to get it. */
    public String howToGet() {
        return "the cluster's programs are missing in %s (%s): run dev/cluster build (needs Go, takes about 15 minutes on"
                        .formatted(folder, String.join(", ", missing()))
                + " two cores, once), or name a folder that has them in " + VARIABLE;
    }

    /** The path of one program. */
    Path program(String name) {
        return folder.resolve(name);
    }

    Path tektonConfig() {
        return folder.resolve("tekton-config");
    }

    private static Optional<String> given(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
