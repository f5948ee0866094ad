package dev.escapement.process.runner;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.CatalogueProblem;
import dev.escapement.process.catalogue.RunArguments;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.Workflow.WorkflowTask;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.os.TaskEnvironment.ProgramProblem;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunFolderStore.RunName;
import dev.escapement.process.run.RunPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the folder of a suspended run, or refuses with a reason. */
record RunPreparer(RunSupervision supervision, Catalogue catalogue, TaskEnvironment environment) {

    static final String SUSPENDED_VERSION = "suspended";

    private static final String STARTED_VERSION = "begun";

    private static final int MAX_LIST_LENGTH = 300;

    Preparation prepare(Execution execution) throws IOException {
        RunName name =
                RunName.of(supervision.settings().serverId(), execution.ref().uid());
        Optional<Preparation> existing = findExisting(name);
        if (existing.isPresent()) {
            return existing.get();
        }
        Optional<Workflow> workflow = findWorkflow(execution);
        if (workflow.isEmpty()) {
            return refuse(RunEnd.INVALID, "", notFoundMessage(execution));
        }
        RunArguments arguments = RunArguments.validate(execution.spec(), workflow.get());
        if (!arguments.problems().isEmpty()) {
            return refuse(RunEnd.INVALID, "", arguments.describeProblems());
        }
        WorkflowTask first = workflow.get().tasks().get(0);
        Optional<ProgramProblem> problem = environment.check(first.program(), first.workingDirectory());
        if (problem.isPresent()) {
            int taskCount = workflow.get().tasks().size();
            String message = problem.get().message();
            return refuse(
                    RunEnd.REFUSED,
                    problem.get().reason(),
                    "task 1 of %d, %s: %s".formatted(taskCount, first.name(), message));
        }
        return createRun(name, execution, workflow.get(), arguments);
    }

    /** Returns why the request is invalid: the catalogue has no such workflow, or it does not accept the parameters. */
    Optional<String> validate(Execution execution) {
        Optional<Workflow> workflow = findWorkflow(execution);
        if (workflow.isEmpty()) {
            return Optional.of(notFoundMessage(execution));
        }
        RunArguments arguments = RunArguments.validate(execution.spec(), workflow.get());
        return arguments.problems().isEmpty() ? Optional.empty() : Optional.of(arguments.describeProblems());
    }

    private Optional<Workflow> findWorkflow(Execution execution) {
        return catalogue.find(
                execution.workflowId(), execution.spec().workflow().version());
    }

    /** Returns the run that was prepared before, unless it can never start. */
    private Optional<Preparation> findExisting(RunName name) throws IOException {
        RunFolder folder = supervision.folders().folder(name.key());
        Optional<RunPlan> plan = folder.readPlan();
        if (plan.isEmpty()) {
            if (folder.hasFile("")) {
                supervision.folders().remove(name.key());
            }
            return Optional.empty();
        }
        Optional<RunClaim> owner = folder.owner();
        if (owner.isEmpty() && !supervision.bootId().isBootOf(plan.get().uid())) {
            // The caller prepares only executions whose run was not recorded, so this one was never started.
            supervision.removeUnstarted(folder);
            return Optional.empty();
        }
        if (owner.isPresent() && owner.get() instanceof RunClaim.Removed) {
            supervision.folders().remove(name.key());
            return Optional.empty();
        }
        return Optional.of(toReady(name, plan.get(), owner.isEmpty() ? SUSPENDED_VERSION : STARTED_VERSION));
    }

    private Preparation createRun(RunName name, Execution execution, Workflow workflow, RunArguments arguments)
            throws IOException {
        ExecutionRef ref = execution.ref();
        String suffix = RunFolderStore.randomSuffix(supervision.folders().random());
        RunPlan plan = new RunPlan(
                supervision.bootId().uidPrefix() + "-" + suffix,
                ref.namespace(),
                ref.name(),
                ref.uid(),
                workflow.label(),
                execution.spec().config().timeout().orElse(workflow.timeout()).toString(),
                workflow.tasks().stream().map(RunPlan.PlannedTask::of).toList(),
                execution.workflowId(),
                execution.spec().targetResource());
        Map<String, String> variables = new TreeMap<>(arguments.values());
        variables.put("ESCAPEMENT_EXECUTION", ref.toString());
        byte[] file = plan.toFile(workflow.tasks(), variables);
        if (supervision.folders().add(name.key(), file)) {
            return toReady(name, plan, SUSPENDED_VERSION);
        }
        return findExisting(name)
                .orElseThrow(() -> new IOException(
                        "run " + name + " was created and removed concurrently while it was being prepared: retry"));
    }

    private static Preparation toReady(RunName name, RunPlan plan, String version) {
        return new Preparation.Ready(new RunRef(name.toString(), plan.uid()), version, plan.progress(0));
    }

    private Preparation refuse(RunEnd end, String reason, String message) {
        return new Preparation.Refused(
                RunFacts.of(end, supervision.clock().instant()).withReason(reason, message));
    }

    private String notFoundMessage(Execution execution) {
        String id = execution.workflowId();
        String version = execution.spec().workflow().version();
        List<Workflow> all = catalogue.workflows();
        String versions =
                join(all.stream().filter(workflow -> workflow.id().equals(id)).map(Workflow::version));
        String ids = join(all.stream().map(Workflow::id));
        String available = !versions.isEmpty()
                ? "available versions are " + versions
                : ids.isEmpty() ? "it is empty" : "available workflows are " + ids;
        String invalid = join(catalogue.problems().stream().map(CatalogueProblem::file));
        String ignored = invalid.isEmpty() ? "" : "; ignored because of errors: " + invalid;
        String label = SafeText.quote(version.isEmpty() ? id : id + " " + version, 120);
        return "workflow %s is not in the catalogue: %s"
                .formatted(label, SafeText.sanitize(available + ignored, MAX_LIST_LENGTH));
    }

    private static String join(Stream<String> names) {
        return names.distinct().collect(Collectors.joining(", "));
    }
}
