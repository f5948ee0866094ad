package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.crashtests.SingleQuotedJson;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Builds a history of writes to etcd without any checks. Uids are names; there is one target. */
final class ForgedEtcdHistory {

    private static final String TARGET = "node/a";
    static final String ENTRY = Target.parse(TARGET).objectName();
    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    private final List<EtcdChange> changes = new ArrayList<>();
    private final Map<String, JsonNode> states = new HashMap<>();
    private long revision;
    private long second;

    EtcdHistory history() {
        return new EtcdHistory(changes);
    }

    ForgedEtcdHistory advanceTime(int seconds) {
        second += seconds;
        return this;
    }

    ForgedEtcdHistory requested(String name) {
        return execution(name, "{}");
    }

    ForgedEtcdHistory recorded(String name) {
        return execution(name, "{'phase':'Running','pipelineRunRef':{'uid':'%s'}}".formatted(name));
    }

    ForgedEtcdHistory completed(String name) {
        return execution(name, "{'phase':'Completed','pipelineRunRef':{'uid':'%s'}}".formatted(name));
    }

    ForgedEtcdHistory failedDuring(String name) {
        return execution(
                name,
                ("{'phase':'Failed','pipelineRunRef':{'uid':'%s'},'failureDetails':{'reason':'TaskFailed','message':'m',"
                                + "'naturalLanguageSummary':'s','wasExecutionFailure':true,'requiresManualReview':true}}")
                        .formatted(name));
    }

    ForgedEtcdHistory failedBefore(String name) {
        return execution(
                name,
                ("{'phase':'Failed','consecutiveFailures':1,'pipelineRunRef':{'uid':'%s'},'failureDetails':{"
                                + "'reason':'PipelineRunCreationFailed',"
                                + "'message':'m','naturalLanguageSummary':'s','wasExecutionFailure':false,"
                                + "'requiresManualReview':false}}")
                        .formatted(name));
    }

    ForgedEtcdHistory skipped(String name, String details) {
        return execution(name, "{'phase':'Skipped','skipDetails':%s}".formatted(details));
    }

    ForgedEtcdHistory deleted(String name) {
        return write(EtcdObjectKind.EXECUTION, "ns/" + name, MissingNode.getInstance());
    }

    private ForgedEtcdHistory execution(String name, String status) {
        return write(
                EtcdObjectKind.EXECUTION,
                "ns/" + name,
                SingleQuotedJson.parse(
                        "{'metadata':{'namespace':'ns','name':'%s','uid':'%s'},'spec':{'targetResource':'%s'},'status':%s}"
                                .formatted(name, name, TARGET, status)));
    }

    ForgedEtcdHistory prepared(String run, String execution) {
        return run(run, execution, "{'status':'PipelineRunPending'}", "{}");
    }

    ForgedEtcdHistory started(String run) {
        return run(run, executionOf(run), "{}", "{}");
    }

    ForgedEtcdHistory runEnded(String run, String succeeded) {
        String status = "{'conditions':[{'type':'Succeeded','status':'%s'}]}".formatted(succeeded);
        return run(run, executionOf(run), "{}", status);
    }

    ForgedEtcdHistory runWithdrawn(String run, String tasks) {
        String execution = executionOf(run);
        return run(
                run,
                execution,
                "{'status':'Cancelled'}",
                "{'childReferences':%s}".formatted(tasks),
                "{'kubernaut.ai/withdrawn':'{}'}");
    }

    ForgedEtcdHistory jobPrepared(String run, String execution) {
        return run(run, execution, "{'suspend':true}", "{}");
    }

    ForgedEtcdHistory jobStarted(String run) {
        return run(run, executionOf(run), "{'suspend':false}", "{}");
    }

    /** Adds the condition SuccessCriteriaMet too, which the Job controller writes first. */
    ForgedEtcdHistory jobEnded(String run, String condition) {
        String status = "{'conditions':[{'type':'SuccessCriteriaMet','status':'True'},"
                + "{'type':'Failed','status':'%s'},{'type':'Complete','status':'%s'}]}";
        boolean complete = condition.equals("Complete");
        return run(
                run,
                executionOf(run),
                "{'suspend':false}",
                status.formatted(complete ? "False" : "True", complete ? "True" : "False"));
    }

    ForgedEtcdHistory runDeleted(String run) {
        return write(EtcdObjectKind.RUN, "runs/" + run, MissingNode.getInstance());
    }

    private String executionOf(String run) {
        return states.getOrDefault(EtcdObjectKind.RUN + "runs/" + run, MissingNode.getInstance())
                .path("metadata")
                .path("labels")
                .path("kubernaut.ai/execution-uid")
                .asText();
    }

    private ForgedEtcdHistory run(String run, String execution, String spec, String status) {
        return run(run, execution, spec, status, "{}");
    }

    private ForgedEtcdHistory run(String run, String execution, String spec, String status, String annotations) {
        return write(
                EtcdObjectKind.RUN,
                "runs/" + run,
                SingleQuotedJson.parse(("{'kind':'%s','metadata':{'name':'%s','uid':'%s','annotations':%s,'labels':{"
                                + "'kubernaut.ai/execution-uid':'%s','kubernaut.ai/target':'%s'}},"
                                + "'spec':%s,'status':%s}")
                        .formatted(
                                spec.contains("suspend") ? "Job" : "PipelineRun",
                                run,
                                run,
                                annotations,
                                execution,
                                ENTRY,
                                spec,
                                status)));
    }

    ForgedEtcdHistory acquired(String name) {
        return acquired(name, "");
    }

    ForgedEtcdHistory acquired(String name, String memory) {
        second++;
        String holder = "'holder':{'namespace':'ns','name':'%s','uid':'%s','workflowId':'w','startedAt':'%s',"
                + "'pipelineRun':{'uid':'%s'}}";
        return entry(holder.formatted(name, name, START.plusSeconds(second), name) + memory);
    }

    ForgedEtcdHistory released(String name, String memory) {
        return entry("'last':'%s'%s".formatted(name, memory));
    }

    /** A finalizer keeps the entry for now. */
    ForgedEtcdHistory entryDeletionRequested() {
        ObjectNode entry =
                Objects.requireNonNull(states.get(EtcdObjectKind.ENTRY + ENTRY)).deepCopy();
        ((ObjectNode) entry.get("metadata")).put("deletionTimestamp", START.toString());
        return write(EtcdObjectKind.ENTRY, ENTRY, entry);
    }

    ForgedEtcdHistory entryDeleted() {
        return write(EtcdObjectKind.ENTRY, ENTRY, MissingNode.getInstance());
    }

    private ForgedEtcdHistory entry(String status) {
        return write(
                EtcdObjectKind.ENTRY,
                ENTRY,
                SingleQuotedJson.parse(
                        "{'metadata':{'uid':'entry'},'spec':{'targetResource':'%s'},'status':{'epoch':%d,%s}}"
                                .formatted(TARGET, 1_000 + second, status)));
    }

    static String completedBy(String name) {
        return rememberedExecution("completed", name);
    }

    static String blockedBy(String name) {
        return rememberedExecution("block", name);
    }

    /** The end is at second 2; {@link #advanceTime} decides how long ago that is. */
    private static String rememberedExecution(String what, String name) {
        return ",'workflows':[{'workflowId':'w','%s':{'name':'%s','uid':'%s','workflowId':'w','completedAt':'%s'}}]"
                .formatted(what, name, name, START.plusSeconds(2));
    }

    private ForgedEtcdHistory write(EtcdObjectKind kind, String path, JsonNode after) {
        JsonNode before = states.getOrDefault(kind + path, MissingNode.getInstance());
        states.put(kind + path, after);
        changes.add(new EtcdChange(++revision, kind, path, before, after));
        return this;
    }
}
