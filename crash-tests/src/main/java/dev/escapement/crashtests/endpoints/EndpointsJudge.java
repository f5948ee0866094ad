package dev.escapement.crashtests.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.Verdict;
import dev.escapement.endpoints.model.FinishedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds every violation of a promise in the evidence. It is a pure function. */
final class EndpointsJudge {

    private final EndpointsEvidence evidence;
    private final EndpointsEvidence.TestSettings settings;
    private final Map<String, List<FinishedRun>> runsByEndpoint;
    private final Map<String, List<RecordedCall>> callsByKey;

    private EndpointsJudge(EndpointsEvidence evidence) {
        this.evidence = evidence;
        this.settings = evidence.settings();
        this.runsByEndpoint = evidence.runsByEndpoint();
        this.callsByKey = evidence.callsByKey();
    }

    static Verdict judge(EndpointsEvidence evidence) {
        return new EndpointsJudge(evidence).checkPromises();
    }

    private Verdict checkPromises() {
        Map<String, List<String>> findings = new LinkedHashMap<>();
        findings.put("every slot was called, or recorded as missed", findGaps());
        findings.put("every slot has one run, and every run its number", findNumberingErrors());
        findings.put("every recorded call was made", findRunsWithoutCall());
        findings.put("every call was recorded", findUnrecordedCalls());
        if (evidence.withoutKills()) {
            findings.put("every slot was called exactly once", findSlotsNotCalledOnce());
        } else {
            findings.put(
                    "repeated calls have the same Idempotency-Key and are counted as attempts", findUncountedRepeats());
            findings.put("no call was repeated during its lease", findEarlyRepeats());
            findings.put("every interrupted run was repeated within the lease time", findLateRepeats());
        }
        return new Verdict(findings);
    }

    /** Finds slots without a run, from the first slot to the end of the test. After a failure the backoff applies. */
    private List<String> findGaps() {
        List<String> found = new ArrayList<>();
        for (String name : evidence.endpointNames()) {
            List<FinishedRun> own = runsByEndpoint.getOrDefault(name, List.of());
            for (int i = 0; i + 1 < own.size(); i++) {
                checkGap(own.get(i), own.get(i + 1).slot(), found);
            }
            if (own.isEmpty()) {
                found.add(name + " never ran");
            } else if (isOverdue(own.get(own.size() - 1))) {
                FinishedRun last = own.get(own.size() - 1);
                found.add("%s did not run after its slot %s".formatted(name, last.slot()));
            }
        }
        return found;
    }

    private void checkGap(FinishedRun run, Instant next, List<String> found) {
        if (!run.callResult().isSuccess()) {
            return;
        }
        long intervals = Duration.between(run.slot(), next).dividedBy(settings.interval());
        if (intervals - 1 != run.missed() || (evidence.withoutKills() && run.missed() > 0)) {
            found.add("%s: %d slots without a run after %s, %d are recorded as missed"
                    .formatted(run.endpointName(), intervals - 1, run.slot(), run.missed()));
        }
    }

    private boolean isOverdue(FinishedRun last) {
        Instant next = last.slot().plus(settings.interval().multipliedBy(last.missed() + 1));
        Duration tolerance = evidence.withoutKills()
                ? settings.tolerance()
                : settings.tolerance().plus(settings.lease());
        return last.callResult().isSuccess() && next.plus(tolerance).isBefore(evidence.stoppedAt());
    }

    private List<String> findNumberingErrors() {
        List<String> found = new ArrayList<>();
        runsByEndpoint.forEach((name, own) -> {
            Set<Instant> slots = new HashSet<>();
            for (int i = 0; i < own.size(); i++) {
                if (own.get(i).number() != i + 1) {
                    found.add("%s: run %d has number %d"
                            .formatted(name, i + 1, own.get(i).number()));
                }
                if (!slots.add(own.get(i).slot())) {
                    found.add(
                            "%s: two runs of slot %s".formatted(name, own.get(i).slot()));
                }
            }
        });
        return found;
    }

    private List<String> findRunsWithoutCall() {
        return evidence.runs().stream()
                .filter(run -> run.callResult().isSuccess() && !callsByKey.containsKey(run.id()))
                .map(run -> "%s of %s is recorded as successful, but no call was made"
                        .formatted(run.id(), run.endpointName()))
                .toList();
    }

    private List<String> findUnrecordedCalls() {
        Map<String, String> names = new HashMap<>();
        evidence.runs().forEach(run -> names.put(run.id(), run.endpointName()));
        return evidence.recordedCalls().stream()
                .filter(call -> !call.path().substring(1).equals(names.get(call.key())))
                .map(call -> "%s was called with key %s, which belongs to none of its runs"
                        .formatted(call.path().substring(1), call.key()))
                .toList();
    }

    private List<String> findSlotsNotCalledOnce() {
        List<String> found = new ArrayList<>();
        callsByKey.forEach((key, calls) -> {
            if (calls.size() != 1) {
                found.add("%s was called %d times with key %s"
                        .formatted(calls.get(0).path().substring(1), calls.size(), key));
            }
        });
        evidence.runs().stream()
                .filter(run -> run.attempt() != 1 || !run.callResult().isSuccess())
                .map(run -> "%s of %s took %d attempts: %s"
                        .formatted(run.id(), run.endpointName(), run.attempt(), run.callResult()))
                .forEach(found::add);
        return found;
    }

    private List<String> findUncountedRepeats() {
        return evidence.runs().stream()
                .filter(run -> callsOf(run).size() > run.attempt())
                .map(run -> "%s of %s was called %d times in %d attempts"
                        .formatted(run.id(), run.endpointName(), callsOf(run).size(), run.attempt()))
                .toList();
    }

    /** Uses the timeout as limit: the lease starts before the call and is longer than the timeout. */
    private List<String> findEarlyRepeats() {
        List<String> found = new ArrayList<>();
        callsByKey.forEach((key, calls) -> {
            for (int i = 1; i < calls.size(); i++) {
                Duration after =
                        Duration.between(calls.get(i - 1).at(), calls.get(i).at());
                if (after.compareTo(settings.timeout()) < 0) {
                    found.add("%s was called again after %d ms".formatted(key, after.toMillis()));
                }
            }
        });
        return found;
    }

    private List<String> findLateRepeats() {
        return evidence.runs().stream()
                .filter(run -> run.lateness().compareTo(maxLateness(run)) > 0)
                .map(run -> "%s of %s started %d ms after its slot, in attempt %d"
                        .formatted(run.id(), run.endpointName(), run.lateness().toMillis(), run.attempt()))
                .toList();
    }

    private Duration maxLateness(FinishedRun run) {
        return settings.lease().multipliedBy(run.attempt() - 1L).plus(settings.tolerance());
    }

    private List<RecordedCall> callsOf(FinishedRun run) {
        return callsByKey.getOrDefault(run.id(), List.of());
    }
}
