package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several executions for the same target. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ContentionIT {

    private static final int REQUEST_COUNT = 12;

    private final OperatorScenario scenario;

    ContentionIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void runsOneOfTwelveRequestsAndSkipsOthers() {
        ExecutionRequestBuilder request = scenario.tektonWorkflow("wait");
        List<CompletableFuture<CreatedExecution>> pending = IntStream.range(0, REQUEST_COUNT)
                .mapToObj(number -> CompletableFuture.supplyAsync(request::create))
                .toList();
        List<CreatedExecution> all =
                pending.stream().map(CompletableFuture::join).toList();
        all.forEach(CreatedExecution::awaitRunning);

        List<CreatedExecution> running = all.stream()
                .filter(each -> each.status().text("phase").equals("Running"))
                .toList();

        assertThat(running).hasSize(1);
        CreatedExecution holder = running.get(0);
        assertThat(all).filteredOn(each -> each != holder).allSatisfy(each -> assertResourceBusy(each, holder));
        assertThat(scenario.entry(holder.target(), "Held").text("holder.uid")).isEqualTo(holder.uid());
        scenario.endPod(holder, "succeed");
        holder.awaitFinal().assertCompleted();
        scenario.entry(holder.target(), "CoolingDown");
    }

    @Test
    void secondWorkflowWaitsForRunButNotForCooldown() {
        CreatedExecution first = scenario.namedTektonWorkflow("restart", "wait").create();
        first.awaitRunning();
        CreatedExecution early =
                scenario.namedTektonWorkflow("drain", "succeed").create();
        assertResourceBusy(early, first);
        assertThat(early.status().text("skipDetails.conflictingWorkflow.workflowId"))
                .isEqualTo("restart");
        scenario.endPod(first, "succeed");
        StatusView completed = first.awaitFinal().assertCompleted();

        CreatedExecution other =
                scenario.namedTektonWorkflow("drain", "succeed").create();
        other.awaitFinal().assertCompleted();

        CreatedExecution again =
                scenario.namedTektonWorkflow("restart", "succeed").create();
        StatusView skipped = again.awaitFinal().assertSkipped("RecentlyRemediated");
        assertThat(skipped.text("skipDetails.message"))
                .contains(
                        "workflow restart completed on " + first.target(),
                        first.qualifiedName(),
                        "it may run again in");
        assertThat(skipped.text("skipDetails.recentRemediation.uid")).isEqualTo(first.uid());
        assertThat(skipped.text("skipDetails.recentRemediation.cooldownRemaining"))
                .matches("(4m|5m).*");
        assertThat(skipped.time("skipDetails.nextAllowedExecution"))
                .isEqualTo(completed.time("completionTime").plusSeconds(300));
        assertThat(again.runs()).isEmpty();
    }

    @Test
    void identifiesTargetAcrossNamespacesAndSpellings() {
        String otherNamespace = scenario.cluster().createNamespace("elsewhere");
        CreatedExecution first = scenario.tektonWorkflow("wait")
                .onTarget("shop/Deployment/" + scenario.namespace())
                .create();
        first.awaitRunning();

        CreatedExecution second = scenario.tektonWorkflow("succeed")
                .onTarget("shop/deployment/" + scenario.namespace())
                .inNamespace(otherNamespace)
                .create();

        assertResourceBusy(second, first);
        scenario.endPod(first, "succeed");
        first.awaitFinal().assertCompleted();
        CreatedExecution third = scenario.tektonWorkflow("succeed")
                .onTarget("shop/DEPLOYMENT/" + scenario.namespace())
                .inNamespace(otherNamespace)
                .create();
        assertThat(third.awaitFinal()
                        .assertSkipped("RecentlyRemediated")
                        .text("skipDetails.recentRemediation.namespace"))
                .isEqualTo(scenario.namespace());
    }

    @Test
    void differentTargetsRunInParallel() {
        String name = scenario.namespace();
        CreatedExecution deployment = scenario.tektonWorkflow("wait")
                .onTarget("shop/deployment/" + name)
                .create();
        CreatedExecution otherDeployment = scenario.tektonWorkflow("succeed")
                .onTarget("bank/deployment/" + name)
                .create();
        CreatedExecution statefulSet = scenario.tektonWorkflow("succeed")
                .onTarget("shop/statefulset/" + name)
                .create();

        otherDeployment.awaitFinal().assertCompleted();
        statefulSet.awaitFinal().assertCompleted();

        assertThat(deployment.status().text("phase")).isEqualTo("Running");
        scenario.endPod(deployment, "succeed");
        deployment.awaitFinal().assertCompleted();
    }

    private static void assertResourceBusy(CreatedExecution skipped, CreatedExecution holder) {
        StatusView status = skipped.awaitFinal().assertSkipped("ResourceBusy");
        assertThat(status.text("skipDetails.conflictingWorkflow.uid")).isEqualTo(holder.uid());
        assertThat(status.text("skipDetails.conflictingWorkflow.name")).isEqualTo(holder.name());
        assertThat(status.text("skipDetails.message"))
                .contains("is held by execution " + holder.qualifiedName(), "one execution at a time");
        assertThat(skipped.runs()).isEmpty();
    }
}
