package dev.escapement.benchmarks.endpoints.crash;

import dev.escapement.benchmarks.endpoints.Arrival;
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

/** Finds every broken promise. Pure: what it is told is all that it knows. */
final class Judge {

    private final Evidence evidence;
    private final Evidence.Terms terms;
    private final Map<String, List<FinishedRun>> runs;
    private final Map<String, List<Arrival>> arrivals;

    private Judge(Evidence evidence) {
        this.evidence = evidence;
        this.terms = evidence.terms();
        this.runs = evidence.runsByName();
        this.arrivals = evidence.arrivalsByKey();
    }

    /** The promises, each with what breaks it; an empty list is a promise that was kept. */
    static Map<String, List<String>> of(Evidence evidence) {
        return new Judge(evidence).judge();
    }

    private Map<String, List<String>> judge() {
        Map<String, List<String>> findings = new LinkedHashMap<>();
        findings.put("every slot was called, or recorded as missed", gaps());
        findings.put("every slot has one run, and every run its number", numbers());
        findings.put("what was recorded as called was called", unseen());
        findings.put("every call was recorded", unrecorded());
        if (evidence.calm()) {
            findings.put("every slot was called exactly once", notOnce());
        } else {
            findings.put("repeats have the same Idempotency-Key, and were counted as attempts", uncounted());
            findings.put("nothing was called again while its lease was held", tooSoon());
            findings.put("what was interrupted was run again within the lease time", tooLate());
        }
        return findings;
    }

    /** From the first slot to the end of the test. After a failure backoff decides, not the beat. */
    private List<String> gaps() {
        List<String> found = new ArrayList<>();
        for (String name : evidence.names()) {
            List<FinishedRun> own = runs.getOrDefault(name, List.of());
            for (int i = 0; i + 1 < own.size(); i++) {
                gap(own.get(i), own.get(i + 1).slot(), found);
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

    private void gap(FinishedRun run, Instant next, List<String> found) {
        if (!run.callResult().isSuccess()) {
            return;
        }
        long beats = Duration.between(run.slot(), next).dividedBy(terms.interval());
        if (beats - 1 != run.missed() || (evidence.calm() && run.missed() > 0)) {
            found.add("%s: %d slots without a run after %s, %d are recorded as missed"
                    .formatted(run.endpointName(), beats - 1, run.slot(), run.missed()));
        }
    }

    private boolean isOverdue(FinishedRun last) {
        Instant next = last.slot().plus(terms.interval().multipliedBy(last.missed() + 1));
        Duration patience = evidence.calm() ? terms.slack() : terms.slack().plus(terms.lease());
        return last.callResult().isSuccess() && next.plus(patience).isBefore(evidence.until());
    }

    private List<String> numbers() {
        List<String> found = new ArrayList<>();
        runs.forEach((name, own) -> {
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

    private List<String> unseen() {
        return evidence.runs().stream()
                .filter(run -> run.callResult().isSuccess() && !arrivals.containsKey(run.id()))
                .map(run -> "%s of %s is recorded as answered, and nobody was called"
                        .formatted(run.id(), run.endpointName()))
                .toList();
    }

    private List<String> unrecorded() {
        Map<String, String> names = new HashMap<>();
        evidence.runs().forEach(run -> names.put(run.id(), run.endpointName()));
        return evidence.arrivals().stream()
                .filter(arrival -> !arrival.path().substring(1).equals(names.get(arrival.key())))
                .map(arrival -> "%s was called with key %s, which is no run of it"
                        .formatted(arrival.path().substring(1), arrival.key()))
                .toList();
    }

    private List<String> notOnce() {
        List<String> found = new ArrayList<>();
        arrivals.forEach((key, calls) -> {
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

    private List<String> uncounted() {
        return evidence.runs().stream()
                .filter(run -> calls(run).size() > run.attempt())
                .map(run -> "%s of %s was called %d times in %d attempts"
                        .formatted(run.id(), run.endpointName(), calls(run).size(), run.attempt()))
                .toList();
    }

    /** A lease is longer than the timeout, counted from before the call. */
    private List<String> tooSoon() {
        List<String> found = new ArrayList<>();
        arrivals.forEach((key, calls) -> {
            for (int i = 1; i < calls.size(); i++) {
                Duration after =
                        Duration.between(calls.get(i - 1).at(), calls.get(i).at());
                if (after.compareTo(terms.timeout()) < 0) {
                    found.add("%s was called again after %d ms".formatted(key, after.toMillis()));
                }
            }
        });
        return found;
    }

    private List<String> tooLate() {
        return evidence.runs().stream()
                .filter(run -> run.lateness().compareTo(patience(run)) > 0)
                .map(run -> "%s of %s started %d ms after its slot, in attempt %d"
                        .formatted(run.id(), run.endpointName(), run.lateness().toMillis(), run.attempt()))
                .toList();
    }

    private Duration patience(FinishedRun run) {
        return terms.lease().multipliedBy(run.attempt() - 1L).plus(terms.slack());
    }

    private List<Arrival> calls(FinishedRun run) {
        return arrivals.getOrDefault(run.id(), List.of());
    }
}
