package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes to an etcd that lets everything pass. Uids are names; there is one target. */
final class ForgedHistory {

    private static final String TARGET = "node/a";
    private static final String ENTRY = Target.parse(TARGET).objectName();
    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    private final List<Change> changes = new ArrayList<>();
    private final Map<String, JsonNode> states = new HashMap<>();
    private long revision;
    private long second;

    static JsonNode json(String text) {
        try {
            return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException(text, wrong);
        }
    }

    History history() {
        return new History(changes);
    }

    ForgedHistory later(int seconds) {
        second += seconds;
        return this;
    }

    ForgedHistory asked(String name) {
        return execution(name, "{}");
    }

    ForgedHistory recorded(String name) {
        return execution(name, "{'phase':'Running','pipelineRunRef':{'uid':'%s'}}".formatted(name));
    }

    ForgedHistory completed(String name) {
        return execution(name, "{'phase':'Completed','pipelineRunRef':{'uid':'%s'}}".formatted(name));
    }

    ForgedHistory failedDuring(String name) {
        return execution(
                name,
                ("{'phase':'Failed','pipelineRunRef':{'uid':'%s'},'failureDetails':{'reason':'TaskFailed','message':'m',"
                                + "'naturalLanguageSummary':'s','wasExecutionFailure':true,'requiresManualReview':true}}")
                        .formatted(name));
    }

    ForgedHistory skipped(String name, String details) {
        return execution(name, "{'phase':'Skipped','skipDetails':%s}".formatted(details));
    }

    ForgedHistory deleted(String name) {
        return write(Kind.EXECUTION, "ns/" + name, MissingNode.getInstance());
    }

    private ForgedHistory execution(String name, String status) {
        return write(
                Kind.EXECUTION,
                "ns/" + name,
                json("{'metadata':{'namespace':'ns','name':'%s','uid':'%s'},'spec':{'targetResource':'%s'},'status':%s}"
                        .formatted(name, name, TARGET, status)));
    }

    ForgedHistory prepared(String run, String execution) {
        return run(run, execution, "{'status':'PipelineRunPending'}", "{}");
    }

    ForgedHistory started(String run) {
        return run(run, executionOf(run), "{}", "{}");
    }

    ForgedHistory runEnds(String run, String succeeded) {
        String status = "{'conditions':[{'type':'Succeeded','status':'%s'}]}".formatted(succeeded);
        return run(run, executionOf(run), "{}", status);
    }

    ForgedHistory jobPrepared(String run, String execution) {
        return run(run, execution, "{'suspend':true}", "{}");
    }

    ForgedHistory jobStarted(String run) {
        return run(run, executionOf(run), "{'suspend':false}", "{}");
    }

    /** With what the Job controller says first. */
    ForgedHistory jobEnds(String run, String condition) {
        String status = "{'conditions':[{'type':'SuccessCriteriaMet','status':'True'},"
                + "{'type':'Failed','status':'%s'},{'type':'Complete','status':'%s'}]}";
        boolean complete = condition.equals("Complete");
        return run(
                run,
                executionOf(run),
                "{'suspend':false}",
                status.formatted(complete ? "False" : "True", complete ? "True" : "False"));
    }

    ForgedHistory runDeleted(String run) {
        return write(Kind.RUN, "runs/" + run, MissingNode.getInstance());
    }

    private String executionOf(String run) {
        return states.getOrDefault(Kind.RUN + "runs/" + run, MissingNode.getInstance())
                .path("metadata")
                .path("labels")
                .path("kubernaut.ai/execution-uid")
                .asText();
    }

    private ForgedHistory run(String run, String execution, String spec, String status) {
        return write(
                Kind.RUN,
                "runs/" + run,
                json(("{'metadata':{'name':'%s','uid':'%s','labels':{'kubernaut.ai/execution-uid':'%s',"
                                + "'kubernaut.ai/target':'%s'}},'spec':%s,'status':%s}")
                        .formatted(run, run, execution, ENTRY, spec, status)));
    }

    ForgedHistory taken(String name) {
        return taken(name, "");
    }

    ForgedHistory taken(String name, String memory) {
        second++;
        String holder = "'holder':{'namespace':'ns','name':'%s','uid':'%s','workflowId':'w','startedAt':'%s',"
                + "'pipelineRun':{'uid':'%s'}}";
        return entry(holder.formatted(name, name, START.plusSeconds(second), name) + memory);
    }

    ForgedHistory released(String name, String memory) {
        return entry("'last':'%s'%s".formatted(name, memory));
    }

    private ForgedHistory entry(String status) {
        return write(
                Kind.ENTRY,
                ENTRY,
                json("{'metadata':{'uid':'entry'},'spec':{'targetResource':'%s'},'status':{'epoch':%d,%s}}"
                        .formatted(TARGET, 1_000 + second, status)));
    }

    static String completedBy(String name) {
        return past("completed", name);
    }

    static String blockedBy(String name) {
        return past("block", name);
    }

    /** Long ago, or a moment ago, depending on what comes next. */
    private static String past(String what, String name) {
        return ",'workflows':[{'workflowId':'w','%s':{'name':'%s','uid':'%s','workflowId':'w','completedAt':'%s'}}]"
                .formatted(what, name, name, START.plusSeconds(2));
    }

    private ForgedHistory write(Kind kind, String path, JsonNode after) {
        JsonNode before = states.getOrDefault(kind + path, MissingNode.getInstance());
        states.put(kind + path, after);
        changes.add(new Change(++revision, kind, path, before, after));
        return this;
    }
}
