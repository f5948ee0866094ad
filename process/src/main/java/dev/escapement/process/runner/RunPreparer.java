package dev.escapement.process.runner;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.WorkflowTask;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProgramLookup;
import dev.escapement.process.run.Digests;
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

/** Makes the folder of a run, which has no effect, or says why there can be none. */
record RunPreparer(
        RunFolderStore folders,
        String serverId,
        Catalogue catalogue,
        ProgramLookup programs,
        BootId bootId,
        InstantSource clock,
        RandomGenerator random) {

    /** The version of a run that may begin. */
    static final String SUSPENDED_VERSION = "suspended";

    /** The version of any other. */
    private static final String STARTED_VERSION = "begun";

    private static final int MAX_LIST_LENGTH = 300;

    Preparation prepare(Execution execution) throws IOException {
        RunName name = RunName.of(serverId, execution.ref().uid());
        Optional<Preparation> before = findExisting(name);
        if (before.isPresent()) {
            return before.get();
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
        Optional<ProgramLookup.ProgramProblem> objection = programs.check(first.program(), first.workingDirectory());
        if (objection.isPresent()) {
            String message = "task 1 of %d, %s: %s"
                    .formatted(
                            workflow.get().tasks().size(),
                            first.name(),
                            objection.get().message());
            return refuse(objection.get().reason(), message);
        }
        return createRun(name, execution, workflow.get(), arguments);
    }

    /** The run that was prepared before, unless it can never begin. */
    private Optional<Preparation> findExisting(RunName name) throws IOException {
        RunFolder folder = folders.folder(name.key());
        Optional<RunPlan> plan = folder.readPlan();
        if (plan.isEmpty()) {
            if (folder.hasFile("")) {
                folders.remove(name.key(), Digests.randomNonce(random));
            }
            return Optional.empty();
        }
        Optional<RunOwner> claim = folder.owner();
        if (claim.isEmpty() && !bootId.isBootOf(plan.get().uid())) {
            // Whoever asks to prepare an execution knows that its run has not been recorded, hence never begun.
            removeUnstarted(name, folder);
            return Optional.empty();
        }
        if (claim.isPresent() && claim.get() instanceof RunOwner.Removed) {
            folders.remove(name.key(), Digests.randomNonce(random));
            return Optional.empty();
        }
        return Optional.of(toReady(name, plan.get(), claim.isEmpty() ? SUSPENDED_VERSION : STARTED_VERSION));
    }

    private void removeUnstarted(RunName name, RunFolder folder) throws IOException {
        if (folder.claimForRemoval()) {
            folders.remove(name.key(), Digests.randomNonce(random));
        }
    }

    private Preparation createRun(RunName name, Execution execution, Workflow workflow, RunArguments arguments)
            throws IOException {
        RunPlan plan = new RunPlan(
                bootId.uidPrefix() + "-" + Digests.randomNonce(random),
                execution.ref(),
                workflow.label(),
                execution.spec().config().timeout().orElse(workflow.timeout()),
                workflow.tasks().stream()
                        .map(task -> new RunPlan.PlannedTask(task.name(), task.program(), task.timeout()))
                        .toList());
        Map<String, String> environment = new TreeMap<>(arguments.values());
        environment.put("ESCAPEMENT_EXECUTION", execution.ref().toString());
        byte[] file = RunPlanFile.write(plan, workflow.tasks(), environment);
        if (folders.add(name.key(), file, Digests.randomNonce(random))) {
            return toReady(name, plan, SUSPENDED_VERSION);
        }
        return findExisting(name)
                .orElseThrow(() -> new IOException(
                        "run " + name + " was prepared and removed by others while it was being prepared: look again"));
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
        String others = all.stream()
                .filter(has -> has.id().equals(id))
                .map(Workflow::version)
                .collect(Collectors.joining(", "));
        String known = all.stream().map(Workflow::id).distinct().collect(Collectors.joining(", "));
        String have = !others.isEmpty()
                ? "it has the versions " + others
                : known.isEmpty() ? "it has none" : "it has " + known;
        String broken = catalogue.problems().isEmpty()
                ? ""
                : "; left out because of mistakes: "
                        + catalogue.problems().stream()
                                .map(problem -> problem.file())
                                .distinct()
                                .collect(Collectors.joining(", "));
        return "workflow %s is not in the catalogue: %s"
                .formatted(
                        SafeText.quote(version.isEmpty() ? id : id + " " + version, 120),
                        SafeText.sanitize(have + broken, MAX_LIST_LENGTH));
    }
}
