package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests match the program and grant only the permissions that it needs. */
class DeployManifestsTest {

    @Test
    void configMapHoldsDefaultPolicy() {
        ConfigMap config =
                DeployManifests.load(DeployManifests.CONFIG, ConfigMap.class).get(0);
        assertThat(config.getData()).isEqualTo(PolicyText.format(Policy.DEFAULT));
        assertThat(PolicyText.parse(config.getData())).isEqualTo(Policy.DEFAULT);
    }

    @Test
    void grantsNoWildcardOrSensitiveRights() {
        assertThat(rules()).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.getVerbs()).doesNotContain("*", "impersonate", "escalate", "bind");
            assertThat(rule.getResources()).doesNotContain("*", "secrets", "nodes");
            assertThat(rule.getApiGroups()).doesNotContain("*");
            assertThat(rule.getNonResourceURLs()).isEmpty();
        });
    }

    /** A Role grants nothing in other namespaces, so it is enough to check the ClusterRoles. */
    @Test
    void grantsRunCreationOnlyInRunNamespace() {
        assertThat(DeployManifests.load(DeployManifests.RBAC, ClusterRole.class))
                .flatExtracting(ClusterRole::getRules)
                .flatExtracting(PolicyRule::getResources)
                .doesNotContain("pipelineruns", "jobs", "taskruns", "pods", "configmaps", "leases");
        assertThat(DeployManifests.load(DeployManifests.RBAC, Role.class))
                .filteredOn(role -> role.getRules().stream()
                        .anyMatch(rule -> rule.getResources().contains("pipelineruns")))
                .extracting(role -> role.getMetadata().getNamespace())
                .containsExactly("kubernaut-workflows");
    }

    /** Whoever may create notifications elsewhere does so for a user of that namespace. */
    @Test
    void grantsOperatorNotificationCreationOnlyInItsNamespace() {
        assertThat(DeployManifests.load(DeployManifests.RBAC, ClusterRole.class))
                .filteredOn(role -> role.getMetadata().getName().equals("escapement-operator"))
                .flatExtracting(ClusterRole::getRules)
                .filteredOn(rule -> rule.getResources().contains("notificationrequests"))
                .flatExtracting(PolicyRule::getVerbs)
                .containsExactlyInAnyOrder("get", "list", "watch", "delete");
        assertThat(DeployManifests.load(DeployManifests.RBAC, Role.class))
                .filteredOn(role -> role.getRules().stream()
                        .anyMatch(rule -> rule.getResources().contains("notificationrequests")))
                .extracting(role -> role.getMetadata().getNamespace())
                .containsExactly("kubernaut-system");
    }

    @Test
    void operatorRunsUnprivileged() {
        var pod = DeployManifests.load(DeployManifests.OPERATOR, Deployment.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec();
        var container = pod.getContainers().get(0).getSecurityContext();
        assertThat(pod.getServiceAccountName()).isEqualTo("escapement");
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container.getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getCapabilities().getDrop()).containsExactly("ALL");
    }

    /** The Service would set ESCAPEMENT_* variables, which the program reads as settings. */
    @Test
    void disablesServiceLinks() {
        var pod = DeployManifests.load(DeployManifests.OPERATOR, Deployment.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec();
        assertThat(pod.getEnableServiceLinks()).isFalse();
    }

    /** Each of three groups of watches has a minute to sync before the health endpoint responds. */
    @Test
    void startupProbeExceedsCacheSyncTimeouts() {
        var probe = container().getStartupProbe();
        assertThat(probe.getPeriodSeconds() * probe.getFailureThreshold()).isGreaterThan(4 * 60);
    }

    @Test
    void operatorExitsOnOutOfMemory() throws IOException {
        assertThat(container().getEnv())
                .filteredOn(variable -> variable.getName().equals("JAVA_TOOL_OPTIONS"))
                .singleElement()
                .satisfies(options -> assertThat(options.getValue()).contains("-XX:+ExitOnOutOfMemoryError"));
        assertThat(Files.readString(Path.of("..", "docs", "install-kubernetes.md")))
                .contains("ENTRYPOINT [\"java\", \"-XX:+ExitOnOutOfMemoryError\"");
    }

    /** Plain Java would start in more than twice the time. */
    @Test
    void imageOfGuideHasOptionsAndClassArchiveOfLauncher() throws IOException {
        String launcher = Files.readString(Path.of("..", "escapement"));
        String image = Files.readString(Path.of("..", "docs", "install-kubernetes.md"))
                .lines()
                .filter(line -> line.startsWith("ENTRYPOINT") || line.startsWith("RUN java"))
                .collect(Collectors.joining("\n"));
        assertThat(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:SharedArchiveFile="))
                .allSatisfy(option -> {
                    assertThat(launcher).contains(option);
                    assertThat(image).contains(option);
                });
        assertThat(image).contains("-XX:ArchiveClassesAtExit=/app/escapement.jsa", "warm-up");
    }

    private static Container container() {
        return DeployManifests.load(DeployManifests.OPERATOR, Deployment.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
    }

    private static List<PolicyRule> rules() {
        return Stream.concat(
                        DeployManifests.load(DeployManifests.RBAC, ClusterRole.class).stream()
                                .flatMap(role -> role.getRules().stream()),
                        DeployManifests.load(DeployManifests.RBAC, Role.class).stream()
                                .flatMap(role -> role.getRules().stream()))
                .toList();
    }
}
