package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several who want the same target. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ContentionTest {

    private static final int SIGNALS = 12;

    private final Scenario scenario;

    ContentionTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void ofTwelveSignalsForOneNodeOneRunsAndTheOthersAreToldWhich() {
        Ask ask = scenario.tekton("wait");
        List<CompletableFuture<Asked>> asking = IntStream.range(0, SIGNALS)
                .mapToObj(signal -> CompletableFuture.supplyAsync(ask::go))
                .toList();
        List<Asked> all = asking.stream().map(CompletableFuture::join).toList();
        all.forEach(Asked::running);

        List<Asked> running = all.stream()
                .filter(each -> each.status().at("phase").equals("Running"))
                .toList();

        assertThat(running).hasSize(1);
        Asked holder = running.get(0);
        assertThat(all).filteredOn(each -> each != holder).allSatisfy(each -> isBusy(each, holder));
        assertThat(scenario.entry(holder.target(), "Held").at("holder.uid")).isEqualTo(holder.uid());
        scenario.end(holder, "succeed");
        holder.ended().completed();
        scenario.entry(holder.target(), "Free");
    }

    @Test
    void aSecondWorkflowMustWaitForTheFirstButNotForItsCooldown() {
        Asked first = scenario.tektonAs("restart", "wait").go();
        first.running();
        Asked early = scenario.tektonAs("drain", "succeed").go();
        isBusy(early, first);
        assertThat(early.status().at("skipDetails.conflictingWorkflow.workflowId"))
                .isEqualTo("restart");
        scenario.end(first, "succeed");
        Seen completed = first.ended().completed();

        Asked other = scenario.tektonAs("drain", "succeed").go();
        other.ended().completed();

        Asked again = scenario.tektonAs("restart", "succeed").go();
        Seen skipped = again.ended().skipped("RecentlyRemediated");
        assertThat(skipped.at("skipDetails.message"))
                .contains("workflow restart completed on " + first.target(), first.title(), "it may run again in");
        assertThat(skipped.at("skipDetails.recentRemediation.uid")).isEqualTo(first.uid());
        assertThat(skipped.at("skipDetails.recentRemediation.cooldownRemaining"))
                .matches("(4m|5m).*");
        assertThat(skipped.time("skipDetails.nextAllowedExecution"))
                .isEqualTo(completed.time("completionTime").plusSeconds(300));
        assertThat(again.runs()).isEmpty();
    }

    @Test
    void aTargetIsTheSameFromEveryNamespaceAndInEverySpelling() {
        String elsewhere = scenario.cluster().freshNamespace("elsewhere");
        Asked first = scenario.tekton("wait")
                .on("shop/Deployment/" + scenario.namespace())
                .go();
        first.running();

        Asked second = scenario.tekton("succeed")
                .on("shop/deployment/" + scenario.namespace())
                .in(elsewhere)
                .go();

        isBusy(second, first);
        scenario.end(first, "succeed");
        first.ended().completed();
        Asked third = scenario.tekton("succeed")
                .on("shop/DEPLOYMENT/" + scenario.namespace())
                .in(elsewhere)
                .go();
        assertThat(third.ended().skipped("RecentlyRemediated").at("skipDetails.recentRemediation.namespace"))
                .isEqualTo(scenario.namespace());
    }

    @Test
    void targetsThatOnlyLookAlikeDoNotHinderEachOther() {
        String name = scenario.namespace();
        Asked deployment = scenario.tekton("wait").on("shop/deployment/" + name).go();
        Asked elsewhere =
                scenario.tekton("succeed").on("bank/deployment/" + name).go();
        Asked set = scenario.tekton("succeed").on("shop/statefulset/" + name).go();

        elsewhere.ended().completed();
        set.ended().completed();

        assertThat(deployment.status().at("phase")).isEqualTo("Running");
        scenario.end(deployment, "succeed");
        deployment.ended().completed();
    }

    private static void isBusy(Asked skipped, Asked holder) {
        Seen seen = skipped.ended().skipped("ResourceBusy");
        assertThat(seen.at("skipDetails.conflictingWorkflow.uid")).isEqualTo(holder.uid());
        assertThat(seen.at("skipDetails.conflictingWorkflow.name")).isEqualTo(holder.name());
        assertThat(seen.at("skipDetails.message"))
                .contains("is held by execution " + holder.title(), "one execution at a time");
        assertThat(skipped.runs()).isEmpty();
    }
}
