package dev.escapement.crashtests.cluster.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionStepTest {

    private static final String RUN_NAMESPACE_PATH = "/namespaces/kubernaut-workflows/";

    private static ProxiedRequest request(String method, String path, String body) {
        return new ProxiedRequest(new HttpHead(method + " " + path + " HTTP/1.1", List.of()), body.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/tekton.dev/v1, pipelineruns, TEKTON",
        "/apis/batch/v1,      jobs,         JOB",
    })
    void recognizesCreationAndRemovalOfRun(String api, String resource, RunEngine engine) {
        ProxiedRequest prepare = request("POST", api + RUN_NAMESPACE_PATH + resource, "{}");
        assertThat(ExecutionStep.classify(prepare)).isEqualTo(ExecutionStep.PREPARE);
        assertThat(RunEngine.of(prepare)).contains(engine);
        assertThat(ExecutionStep.classify(request("DELETE", api + RUN_NAMESPACE_PATH + resource + "/a", "")))
                .isEqualTo(ExecutionStep.REMOVE_RUN);
        assertThat(ExecutionStep.classify(request("GET", api + RUN_NAMESPACE_PATH + resource + "/a", "")))
                .isEqualTo(ExecutionStep.OTHER);
    }

    @Test
    void recognizesStartAndStopOfPipelineRun() {
        String run = "/apis/tekton.dev/v1" + RUN_NAMESPACE_PATH + "pipelineruns/a";
        assertThat(ExecutionStep.classify(request("PATCH", run, "[{'op':'remove','path':'/spec/status'}]")))
                .isEqualTo(ExecutionStep.START);
        assertThat(ExecutionStep.classify(
                        request("PATCH", run, "[{'op':'add','path':'/spec/status','value':'Cancelled'}]")))
                .isEqualTo(ExecutionStep.STOP);
    }

    @Test
    void recognizesStartAndStopOfJob() {
        String run = "/apis/batch/v1" + RUN_NAMESPACE_PATH + "jobs/a";
        String start = "[{'op':'add','path':'/spec/suspend','value':false},"
                + "{'op':'add','path':'/metadata/annotations/kubernaut.ai~1let-go','value':'true'}]";
        assertThat(ExecutionStep.classify(request("PATCH", run, start))).isEqualTo(ExecutionStep.START);
        assertThat(ExecutionStep.classify(request("PATCH", run, "[{'op':'add','path':'/spec/parallelism','value':0}]")))
                .isEqualTo(ExecutionStep.STOP);
    }

    @ParameterizedTest
    @CsvSource({"job, JOB", "pipelinerun, TEKTON"})
    void recognizesEngineFromLedgerAndStatus(String kind, RunEngine engine) {
        String run = "{'name':'%s/kubernaut-workflows/a','uid':'1'}".formatted(kind);
        ProxiedRequest acquire = request(
                "PUT",
                "/apis/kubernaut.ai/v1alpha1/remediationtargets/a",
                "{'status':{'holder':{'pipelineRun':%s}}}".formatted(run));
        ProxiedRequest record = request(
                "PUT",
                "/apis/kubernaut.ai/v1alpha1/namespaces/a/workflowexecutions/a/status",
                "{'status':{'phase':'Running','pipelineRunRef':%s}}".formatted(run));
        assertThat(ExecutionStep.classify(acquire)).isEqualTo(ExecutionStep.ACQUIRE);
        assertThat(ExecutionStep.classify(record)).isEqualTo(ExecutionStep.RECORD);
        assertThat(List.of(RunEngine.of(acquire), RunEngine.of(record))).containsOnly(Optional.of(engine));
    }

    @Test
    void releaseHasNoEngine() {
        ProxiedRequest release =
                request("PUT", "/apis/kubernaut.ai/v1alpha1/remediationtargets/a", "{'status':{'epoch':2}}");
        assertThat(ExecutionStep.classify(release)).isEqualTo(ExecutionStep.RELEASE);
        assertThat(RunEngine.of(release)).isEmpty();
    }
}
