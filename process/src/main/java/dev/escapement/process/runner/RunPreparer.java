package dev.escapement.process.runner;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.WorkflowTask;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProgramLookup;
import dev.escapement.process.run.RunArguments;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunName;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunPlanFile;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Creates the folder of a suspended run, or refuses with a reason. */
record RunPreparer(
        RunFolderStore folders,
        String serverId,
        Catalogue catalogue,
        ProgramLookup programs,
        BootId bootId,
        InstantSource clock,
        RandomGenerator random) {

    static final String SUSPENDED_VERSION = "suspended";

    private static final String STARTED_VERSION = "begun";

    private static final int MAX_LIST_LENGTH = 300;

    Preparation prepare(Execution execution) throws IOException {
        RunName name = RunName.of(serverId, execution.ref().uid());
        Optional<Preparation> existing = findExisting(name);
        if (existing.isPresent()) {
            return existing.get();
        }
        Optional<Workflow> workflow = catalogue.find(
                execution.workflowId(), execution.spec().workflow().version());
        if (workflow.isEmpty()) {
            return refuse("WorkflowNotFound", notFoundMessage(execution));
        }
        RunArguments arguments = RunArguments.validate(execution.spec(), workflow.get());
        if (!arguments.problems().isEmpty()) {
            String problems = String.join("; ", arguments.problems());
            return new Preparation.Refused(
                    RunFacts.of(RunEnd.INVALID, clock.instant()).withReason("", problems));
        }
        WorkflowTask first = workflow.get().tasks().get(0);
        Optional<ProgramLookup.ProgramProblem> problem = programs.check(first.program(), first.workingDirectory());
        if (problem.isPresent()) {
            String message = "task 1 of %d, %s: %s"
                    .formatted(
                            workflow.get().tasks().size(),
                            first.name(),
                            problem.get().message());
            return refuse(problem.get().reason(), message);
        }
        return createRun(name, execution, workflow.get(), arguments);
    }

    /** Returns the run that was prepared before, unless it can never start. */
    private Optional<Preparation> findExisting(RunName name) throws IOException {
        RunFolder folder = folders.folder(name.key());
        Optional<RunPlan> plan = folder.readPlan();
        if (plan.isEmpty()) {
            if (folder.hasFile("")) {
                folders.remove(name.key());
            }
            return Optional.empty();
        }
        Optional<RunOwner> owner = folder.owner();
        if (owner.isEmpty() && !bootId.isBootOf(plan.get().uid())) {
            // The caller prepares only executions whose run was not recorded, so this one was never started.
            removeUnstarted(name, folder);
            return Optional.empty();
        }
        if (owner.isPresent() && owner.get() instanceof RunOwner.Removed) {
            folders.remove(name.key());
            return Optional.empty();
        }
        return Optional.of(toReady(name, plan.get(), owner.isEmpty() ? SUSPENDED_VERSION : STARTED_VERSION));
    }

    private void removeUnstarted(RunName name, RunFolder folder) throws IOException {
        if (folder.claimForRemoval()) {
            folders.remove(name.key());
        }
    }

    private Preparation createRun(RunName name, Execution execution, Workflow workflow, RunArguments arguments)
            throws IOException {
        RunPlan plan = new RunPlan(
                bootId.uidPrefix() + "-" + RunFolderStore.randomSuffix(random),
                execution.ref(),
                workflow.label(),
                execution.spec().config().timeout().orElse(workflow.timeout()),
                workflow.tasks().stream()
                        .map(task -> new RunPlan.PlannedTask(task.name(), task.program(), task.timeout()))
                        .toList());
        Map<String, String> environment = new TreeMap<>(arguments.values());
        environment.put("ESCAPEMENT_EXECUTION", execution.ref().toString());
        byte[] file = RunPlanFile.write(plan, workflow.tasks(), environment);
        if (folders.add(name.key(), file)) {
            return toReady(name, plan, SUSPENDED_VERSION);
        }
        return findExisting(name)
                .orElseThrow(() -> new IOException(
                        "run " + name + " was created and removed concurrently while it was being prepared: retry"));
    }

    private static Preparation toReady(RunName name, RunPlan plan, String version) {
        return new Preparation.Ready(new RunRef(name.toString(), plan.uid()), version, plan.progress(0));
    }

    private Preparation refuse(String reason, String message) {
        return new Preparation.Refused(
                RunFacts.of(RunEnd.REFUSED, clock.instant()).withReason(reason, message));
    }

    private String notFoundMessage(Execution execution) {
        String id = execution.workflowId();
        String version = execution.spec().workflow().version();
        List<Workflow> all = catalogue.workflows();
        String versions = all.stream()
                .filter(workflow -> workflow.id().equals(id))
                .map(Workflow::version)
                .collect(Collectors.joining(", "));
        String ids = all.stream().map(Workflow::id).distinct().collect(Collectors.joining(", "));
        String available = !versions.isEmpty()
                ? "available versions are " + versions
                : ids.isEmpty() ? "it is empty" : "available workflows are " + ids;
        String invalid = catalogue.problems().isEmpty()
                ? ""
                : "; ignored because of errors: "
                        + catalogue.problems().stream()
                                .map(problem -> problem.file())
                                .distinct()
                                .collect(Collectors.joining(", "));
        return "workflow %s is not in the catalogue: %s"
                .formatted(
                        SafeText.quote(version.isEmpty() ? id : id + " " + version, 120),
                        SafeText.sanitize(available + invalid, MAX_LIST_LENGTH));
    }
}
