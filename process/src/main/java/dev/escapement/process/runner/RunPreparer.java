package dev.escapement.process.runner;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.CatalogueProblem;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.Workflow.WorkflowTask;
import dev.escapement.process.catalogue.WorkflowParameter;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.os.TaskEnvironment.ProgramProblem;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunFolderStore.RunName;
import dev.escapement.process.run.RunPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
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
        String version = execution.spec().workflow().version();
        Optional<Workflow> workflow = catalogue.find(execution.workflowId(), version);
        if (workflow.isEmpty()) {
            String message = notFoundMessage(execution.workflowId(), version);
            return refuse(RunEnd.REFUSED, "WorkflowNotFound", message);
        }
        RunArguments arguments = RunArguments.validate(execution.spec(), workflow.get());
        if (!arguments.problems().isEmpty()) {
            return refuse(RunEnd.INVALID, "", String.join("; ", arguments.problems()));
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
                workflow.tasks().stream().map(RunPlan.PlannedTask::of).toList());
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

    private String notFoundMessage(String id, String version) {
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

    /**
     * The validated parameters of an execution.
     *
     * @param values by variable name, including defaults; usable only if there are no problems
     * @param problems all validation errors
     */
    private record RunArguments(SortedMap<String, String> values, List<String> problems) {

        /** Linux limit. */
        private static final int MAX_VARIABLE_LENGTH = (128 << 10) - 1;

        /** Limit of macOS, the lowest of the supported systems. */
        private static final int MAX_ENVIRONMENT_LENGTH = 700 << 10;

        private static final int MAX_NAME_LENGTH = 60;

        static RunArguments validate(ExecutionSpec spec, Workflow workflow) {
            SortedMap<String, String> values = new TreeMap<>();
            List<String> problems = new ArrayList<>();
            Map<String, String> unknown = new TreeMap<>(spec.parameters());
            for (WorkflowParameter parameter : workflow.parameters()) {
                Optional<String> given = Optional.ofNullable(unknown.remove(parameter.name()));
                if (given.isEmpty() && parameter.required()) {
                    problems.add("parameter %s is missing: it is required, as %s"
                            .formatted(parameter.name(), parameter.type().description()));
                }
                given.flatMap(parameter::findProblem)
                        .ifPresent(problem -> problems.add("parameter " + parameter.name() + " " + problem));
                given.or(parameter::defaultValue).ifPresent(value -> values.put(parameter.name(), value));
            }
            unknown.keySet().forEach(name -> problems.add(unknownParameterMessage(name, workflow)));
            values.put("TARGET_RESOURCE", spec.targetResource());
            checkLengths(values, problems);
            return new RunArguments(values, problems);
        }

        private static String unknownParameterMessage(String name, Workflow workflow) {
            List<String> known =
                    workflow.parameters().stream().map(WorkflowParameter::name).toList();
            String list =
                    known.isEmpty() ? "no parameters" : SafeText.sanitize(String.join(", ", known), MAX_LIST_LENGTH);
            return "parameter %s is unknown: workflow %s has %s"
                    .formatted(SafeText.quote(name, MAX_NAME_LENGTH), workflow.label(), list);
        }

        private static void checkLengths(SortedMap<String, String> values, List<String> problems) {
            int total = 0;
            for (Map.Entry<String, String> variable : values.entrySet()) {
                int length =
                        variable.getKey().length() + 1 + variable.getValue().getBytes(StandardCharsets.UTF_8).length;
                total += length;
                if (length > MAX_VARIABLE_LENGTH) {
                    problems.add(
                            "parameter %s has %d bytes including its name: the limit for an environment variable is %d"
                                    .formatted(variable.getKey(), length, MAX_VARIABLE_LENGTH));
                }
            }
            if (total > MAX_ENVIRONMENT_LENGTH) {
                problems.add("the parameters have %d bytes in total: the limit for an environment is %d"
                        .formatted(total, MAX_ENVIRONMENT_LENGTH));
            }
        }
    }
}
