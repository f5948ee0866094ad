package dev.escapement.process;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.Task;
import dev.escapement.process.catalogue.Workflow;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Makes the folder of a run, which has no effect, or says why there can be none. */
record Preparer(
        RunsFolder runs,
        String serverId,
        Catalogue catalogue,
        Programs programs,
        Boot boot,
        InstantSource clock,
        RandomGenerator random) {

    /** The version of a run that may begin. */
    static final String SUSPENDED = "suspended";

    /** The version of any other. */
    private static final String BEGUN = "begun";

    private static final int LONGEST_LIST = 300;

    Preparation prepare(Execution execution) throws IOException {
        RunName name = RunName.of(serverId, execution.ref().uid());
        Optional<Preparation> before = before(name);
        if (before.isPresent()) {
            return before.get();
        }
        Optional<Workflow> workflow =
                catalogue.find(execution.workflowId(), execution.spec().workflow().version());
        if (workflow.isEmpty()) {
            return refused("WorkflowNotFound", notFound(execution));
        }
        Arguments arguments = Arguments.of(execution.spec(), workflow.get());
        if (!arguments.problems().isEmpty()) {
            String problems = String.join("; ", arguments.problems());
            return new Preparation.Refused(
                    RunFacts.of(RunEnd.INVALID, clock.instant()).withReason("", problems));
        }
        Task first = workflow.get().tasks().get(0);
        Optional<Programs.Objection> objection = programs.objection(first.program(), first.workingDirectory());
        if (objection.isPresent()) {
            String message = "task 1 of %d, %s: %s"
                    .formatted(
                            workflow.get().tasks().size(),
                            first.name(),
                            objection.get().message());
            return refused(objection.get().reason(), message);
        }
        return create(name, execution, workflow.get(), arguments);
    }

    /** The run that was prepared before, unless it can never begin. */
    private Optional<Preparation> before(RunName name) throws IOException {
        RunFolder folder = runs.run(name.key());
        Optional<Plan> plan = folder.plan();
        if (plan.isEmpty()) {
            if (folder.has("")) {
                runs.remove(name.key(), Hex.nonce(random));
            }
            return Optional.empty();
        }
        Optional<Claim> claim = folder.claim();
        if (claim.isEmpty() && !boot.made(plan.get().uid())) {
            // Whoever asks to prepare an execution knows that its run has not been recorded, hence never begun.
            remove(name, folder);
            return Optional.empty();
        }
        if (claim.isPresent() && claim.get() instanceof Claim.Removed) {
            runs.remove(name.key(), Hex.nonce(random));
            return Optional.empty();
        }
        return Optional.of(ready(name, plan.get(), claim.isEmpty() ? SUSPENDED : BEGUN));
    }

    private void remove(RunName name, RunFolder folder) throws IOException {
        if (folder.claimForRemoval()) {
            runs.remove(name.key(), Hex.nonce(random));
        }
    }

    private Preparation create(RunName name, Execution execution, Workflow workflow, Arguments arguments)
            throws IOException {
        Plan plan = new Plan(
                boot.mark() + "-" + Hex.nonce(random),
                execution.ref(),
                workflow.label(),
                execution.spec().config().timeout().orElse(workflow.timeout()),
                workflow.tasks().stream()
                        .map(task -> new Plan.Step(task.name(), task.program(), task.timeout()))
                        .toList());
        Map<String, String> environment = new TreeMap<>(arguments.values());
        environment.put("ESCAPEMENT_EXECUTION", execution.ref().toString());
        byte[] file = PlanFile.write(plan, workflow.tasks(), environment);
        if (runs.add(name.key(), file, Hex.nonce(random))) {
            return ready(name, plan, SUSPENDED);
        }
        return before(name)
                .orElseThrow(() -> new IOException(
                        "run " + name + " was prepared and removed by others while it was being prepared: look again"));
    }

    private static Preparation ready(RunName name, Plan plan, String version) {
        return new Preparation.Ready(new RunRef(name.toString(), plan.uid()), version, plan.progress(0));
    }

    private Preparation refused(String reason, String message) {
        return new Preparation.Refused(
                RunFacts.of(RunEnd.REFUSED, clock.instant()).withReason(reason, message));
    }

    private String notFound(Execution execution) {
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
                        SafeText.sanitize(have + broken, LONGEST_LIST));
    }
}
