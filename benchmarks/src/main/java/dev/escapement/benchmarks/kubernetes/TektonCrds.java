package dev.escapement.benchmarks.kubernetes;

import dev.escapement.testkit.cluster.ClusterBinaries;
import dev.escapement.testkit.cluster.CrdStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Installs Tekton's CRDs without its webhook and controller. */
final class TektonCrds {

    private static final Set<String> CRD_NAMES = Set.of("pipelineruns.tekton.dev", "taskruns.tekton.dev");

    private TektonCrds() {}

    static void install(KubernetesClient admin) throws Exception {
        for (Path file :
                definitionFiles(ClusterBinaries.ofCurrentProcess().folder().resolve("tekton-config"))) {
            try (InputStream in = Files.newInputStream(file)) {
                for (HasMetadata item : admin.load(in).items()) {
                    install(admin, item);
                }
            }
        }
        CrdStatus.awaitEstablished(admin, CRD_NAMES.toArray(String[]::new));
    }

    private static void install(KubernetesClient admin, HasMetadata item) {
        if (item instanceof CustomResourceDefinition definition
                && CRD_NAMES.contains(item.getMetadata().getName())) {
            // There is no conversion webhook, and only the stored version is used.
            definition.getSpec().setConversion(null);
            admin.resource(definition).serverSideApply();
        }
    }

    private static List<Path> definitionFiles(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().matches("300.*run\\.yaml"))
                    .toList();
        }
    }
}
