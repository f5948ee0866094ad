package dev.escapement.benchmarks.clustercrash.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepTest {

    private static final String RUNS = "/namespaces/kubernaut-workflows/";

    private static Call call(String method, String path, String body) {
        return new Call(new Head(method + " " + path + " HTTP/1.1", List.of()), body.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/tekton.dev/v1, pipelineruns, TEKTON",
        "/apis/batch/v1,      jobs,         JOB",
    })
    void aRunIsPreparedAndRemoved(String api, String resource, Engine engine) {
        Call prepare = call("POST", api + RUNS + resource, "{}");
        assertThat(Step.of(prepare)).isEqualTo(Step.PREPARE);
        assertThat(Engine.of(prepare)).contains(engine);
        assertThat(Step.of(call("DELETE", api + RUNS + resource + "/a", ""))).isEqualTo(Step.REMOVE);
        assertThat(Step.of(call("GET", api + RUNS + resource + "/a", ""))).isEqualTo(Step.OTHER);
    }

    @Test
    void aPipelineRunIsLetGoByTakingItsMarkAway() {
        String run = "/apis/tekton.dev/v1" + RUNS + "pipelineruns/a";
        assertThat(Step.of(call("PATCH", run, "[{'op':'remove','path':'/spec/status'}]")))
                .isEqualTo(Step.START);
        assertThat(Step.of(call("PATCH", run, "[{'op':'add','path':'/spec/status','value':'Cancelled'}]")))
                .isEqualTo(Step.STOP);
    }

    @Test
    void aJobIsLetGoByGivingItOne() {
        String run = "/apis/batch/v1" + RUNS + "jobs/a";
        String letGo = "[{'op':'add','path':'/spec/suspend','value':false},"
                + "{'op':'add','path':'/metadata/annotations/kubernaut.ai~1let-go','value':'true'}]";
        assertThat(Step.of(call("PATCH", run, letGo))).isEqualTo(Step.START);
        assertThat(Step.of(call("PATCH", run, "[{'op':'add','path':'/spec/parallelism','value':0}]")))
                .isEqualTo(Step.STOP);
    }

    @ParameterizedTest
    @CsvSource({"job, JOB", "pipelinerun, TEKTON"})
    void ledgerAndStatusNameTheEngineOfTheRun(String kind, Engine engine) {
        String run = "{'name':'%s/kubernaut-workflows/a','uid':'1'}".formatted(kind);
        Call take = call(
                "PUT",
                "/apis/kubernaut.ai/v1alpha1/remediationtargets/a",
                "{'status':{'holder':{'pipelineRun':%s}}}".formatted(run));
        Call record = call(
                "PUT",
                "/apis/kubernaut.ai/v1alpha1/namespaces/a/workflowexecutions/a/status",
                "{'status':{'phase':'Running','pipelineRunRef':%s}}".formatted(run));
        assertThat(Step.of(take)).isEqualTo(Step.TAKE);
        assertThat(Step.of(record)).isEqualTo(Step.RECORD);
        assertThat(List.of(Engine.of(take), Engine.of(record))).containsOnly(Optional.of(engine));
    }

    @Test
    void aReleaseNamesNoRun() {
        Call release = call("PUT", "/apis/kubernaut.ai/v1alpha1/remediationtargets/a", "{'status':{'epoch':2}}");
        assertThat(Step.of(release)).isEqualTo(Step.RELEASE);
        assertThat(Engine.of(release)).isEmpty();
    }
}
