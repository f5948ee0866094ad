package dev.escapement.testkit.cluster;

import dev.escapement.testkit.FreePorts;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tekton Pipelines: controller, webhook and resolvers, as processes outside of the cluster. */
final class TektonProcesses implements AutoCloseable {

    private static final String NAMESPACE = "tekton-pipelines";
    private static final String RESOLVERS_NAMESPACE = "tekton-pipelines-resolvers";

    /** For bundles, the cluster, git, HTTP and the hub. */
    private static final int RESOLVER_COUNT = 5;

    /** Images are never pulled: the simulated kubelet uses only their names. */
    private static final List<String> IMAGE_OPTIONS = List.of(
            "-entrypoint-image", "simulated.local/succeed",
            "-nop-image", "simulated.local/succeed",
            "-sidecarlogresults-image", "simulated.local/succeed",
            "-workingdirinit-image", "simulated.local/succeed",
            "-shell-image", "simulated.local/succeed",
            "-shell-image-win", "simulated.local/succeed");

    private final LocalCluster cluster;
    private final KubernetesClient admin;
    private final Path kubeconfig;
    private final LocalClusterOptions settings;
    private final ClusterDirectory directory;
    private final List<ManagedProcess> processes = new CopyOnWriteArrayList<>();
    private List<Integer> ports = List.of();
    private volatile Optional<ManagedProcess> webhook = Optional.empty();
    private volatile Optional<ManagedProcess> controller = Optional.empty();

    TektonProcesses(LocalCluster cluster, LocalClusterOptions settings, ClusterDirectory layout) {
        this.cluster = cluster;
        this.admin = cluster.admin();
        this.kubeconfig = cluster.kubeconfig();
        this.settings = settings;
        this.directory = layout;
    }

    /** Installs and starts everything; returns when the webhook responds and bundles can be resolved. */
    void start() {
        settings.progress()
                .accept("installing Tekton Pipelines "
                        + ClusterVersions.pinned().tekton());
        ports = FreePorts.allocate(6);
        apply(new TektonManifests(ports.get(0)).read(settings.binaries().tektonConfig()));
        ManagedProcess admission = launchWebhook();
        launchController();
        ManagedProcess resolvers =
                start("tekton-resolvers", RESOLVERS_NAMESPACE, "resolvers", ports.get(5), 0, ports.get(0));
        processes.add(resolvers);
        settings.progress().accept("waiting for Tekton's webhook");
        ReadinessProbes.await(
                admission, this::isWebhookRegistered, settings.readyTimeout(), "has not made itself known");
        ReadinessProbes.awaitPort(admission, ports.get(0), settings.readyTimeout());
        ReadinessProbes.await(resolvers, this::doResolversLead, settings.readyTimeout(), "does not lead");
        controller.ifPresent(ManagedProcess::checkAlive);
        admission.checkAlive();
        processes.forEach(ManagedProcess::checkAlive);
    }

    private ManagedProcess launchWebhook() {
        ManagedProcess started =
                start("tekton-webhook", NAMESPACE, "webhook", ports.get(1), ports.get(2), ports.get(0));
        webhook = Optional.of(started);
        return started;
    }

    private void launchController() {
        controller = Optional.of(
                start("tekton-controller", NAMESPACE, "controller", ports.get(3), ports.get(4), ports.get(0)));
    }

    /** Kills the webhook: the API server then refuses every Tekton object that is created or changed. */
    void stopWebhook() {
        webhook.ifPresent(ManagedProcess::close);
        webhook = Optional.empty();
    }

    /** Starts the webhook on the same port; returns when it responds. */
    void startWebhook() {
        if (webhook.isEmpty()) {
            ReadinessProbes.awaitPort(launchWebhook(), ports.get(0), settings.readyTimeout());
        }
    }

    /** Kills the controller: nothing is done about PipelineRuns and TaskRuns any more. */
    void stopController() {
        controller.ifPresent(ManagedProcess::close);
        controller = Optional.empty();
    }

    /** Starts the controller; returns at once. */
    void startController() {
        if (controller.isEmpty()) {
            launchController();
        }
    }

    private void apply(String manifests) {
        Path file = directory.path().resolve("tekton.json");
        try {
            Files.writeString(file, manifests);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        cluster.apply(file);
    }

    private ManagedProcess start(
            String program, String namespace, String component, int profilingPort, int probesPort, int webhookPort) {
        Map<String, String> environment = new HashMap<>();
        environment.put("SYSTEM_NAMESPACE", namespace);
        environment.put("KUBECONFIG", kubeconfig.toString());
        environment.put("POD_NAME", program);
        environment.put("CONFIG_LEADERELECTION_NAME", "config-leader-election-" + component);
        environment.put("CONFIG_LOGGING_NAME", "config-logging");
        environment.put("CONFIG_OBSERVABILITY_NAME", "config-observability");
        environment.put("CONFIG_DEFAULTS_NAME", "config-defaults");
        environment.put("CONFIG_FEATURE_FLAGS_NAME", "feature-flags");
        environment.put("CONFIG_SPIRE", "config-spire");
        environment.put("METRICS_DOMAIN", "tekton.dev/" + component);
        environment.put("PROFILING_PORT", Integer.toString(profilingPort));
        environment.put("PROBES_PORT", Integer.toString(probesPort));
        environment.put("WEBHOOK_PORT", Integer.toString(webhookPort));
        environment.put("WEBHOOK_SERVICE_NAME", "tekton-pipelines-webhook");
        environment.put("WEBHOOK_SECRET_NAME", "webhook-certs");
        environment.put("WEBHOOK_ADMISSION_CONTROLLER_NAME", "webhook.pipeline.tekton.dev");
        // The default limits are for shared clusters.
        environment.put("KUBE_API_QPS", "1000");
        environment.put("KUBE_API_BURST", "2000");
        environment.put("THREADS_PER_CONTROLLER", "32");
        List<String> command =
                new ArrayList<>(List.of(settings.binaries().program(program).toString()));
        if (component.equals("controller")) {
            command.addAll(IMAGE_OPTIONS);
        }
        if (!component.equals("resolvers")) {
            command.add("-disable-ha");
        }
        return ManagedProcess.start(program, command, environment, directory.path());
    }

    /** The webhook writes its certificate into its configurations, which were applied without it. */
    private boolean isWebhookRegistered() {
        var registration = admin.admissionRegistration().v1();
        boolean mutating = registration.mutatingWebhookConfigurations().list().getItems().stream()
                .flatMap(each -> each.getWebhooks().stream())
                .allMatch(TektonProcesses::isComplete);
        boolean validating = registration.validatingWebhookConfigurations().list().getItems().stream()
                .flatMap(each -> each.getWebhooks().stream())
                .allMatch(TektonProcesses::isComplete);
        boolean converting = admin.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .map(each -> each.getSpec().getConversion())
                .filter(each -> each != null && each.getWebhook() != null)
                .allMatch(each -> each.getWebhook().getClientConfig().getCaBundle() != null);
        return mutating && validating && converting;
    }

    /**
     * A resolver that becomes the leader processes all existing requests, also those for other resolvers, and fails
     * them.
     */
    private boolean doResolversLead() {
        return admin.leases().inNamespace(RESOLVERS_NAMESPACE).list().getItems().stream()
                        .map(lease -> lease.getSpec().getHolderIdentity())
                        .filter(holder -> holder != null && !holder.isEmpty())
                        .count()
                >= RESOLVER_COUNT;
    }

    private static boolean isComplete(MutatingWebhook webhook) {
        return webhook.getClientConfig().getCaBundle() != null
                && !webhook.getRules().isEmpty();
    }

    private static boolean isComplete(ValidatingWebhook webhook) {
        return webhook.getClientConfig().getCaBundle() != null
                && !webhook.getRules().isEmpty();
    }

    @Override
    public void close() {
        stopController();
        stopWebhook();
        processes.forEach(ManagedProcess::close);
    }
}
