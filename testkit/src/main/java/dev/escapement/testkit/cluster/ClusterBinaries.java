package dev.escapement.testkit.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder with the programs of a cluster and with Tekton's manifests, as {@code dev/cluster} creates it.
 *
 * @param folder holds the programs, and Tekton's manifests below {@code tekton-config}
 */
public record ClusterBinaries(Path folder) {

    /** The environment variable with the folder. */
    public static final String ENVIRONMENT_VARIABLE = "ESCAPEMENT_CLUSTER_BIN";

    private static final List<String> CONTROL_PLANE_PROGRAMS =
            List.of("etcd", "kube-apiserver", "kube-controller-manager", "kubectl");
    private static final List<String> TEKTON_PROGRAMS =
            List.of("tekton-controller", "tekton-webhook", "tekton-resolvers");

    /** Returns the folder in the environment, else the cache of {@code dev/cluster}. */
    public static ClusterBinaries fromEnvironment(Map<String, String> environment, Path home) {
        return nonBlankValue(environment, ENVIRONMENT_VARIABLE)
                .map(folder -> new ClusterBinaries(Path.of(folder)))
                .orElseGet(() -> new ClusterBinaries(nonBlankValue(environment, "XDG_CACHE_HOME")
                        .map(Path::of)
                        .orElseGet(() -> home.resolve(".cache"))
                        .resolve("escapement/cluster")
                        .resolve(ClusterVersions.pinned().directoryName())));
    }

    /** Returns the folder for the environment of this process. */
    public static ClusterBinaries ofCurrentProcess() {
        return fromEnvironment(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /** Returns the missing programs; empty if there are none. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (List<String> names : List.of(CONTROL_PLANE_PROGRAMS, TEKTON_PROGRAMS)) {
            names.stream()
                    .filter(name -> !Files.isExecutable(folder.resolve(name)))
                    .forEach(missing::add);
        }
        if (!Files.isDirectory(tektonConfig())) {
            missing.add("tekton-config");
        }
        return missing;
    }

    /** Returns a message with the missing programs and how to build them. */
    public String missingMessage() {
        return "the cluster's programs are missing in %s (%s): run dev/cluster build (needs Go, takes about 15 minutes on"
                        .formatted(folder, String.join(", ", missing()))
                + " two cores, once), or name a folder that has them in " + ENVIRONMENT_VARIABLE;
    }

    /** Returns the path of a program. */
    Path program(String name) {
        return folder.resolve(name);
    }

    Path tektonConfig() {
        return folder.resolve("tekton-config");
    }

    private static Optional<String> nonBlankValue(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
