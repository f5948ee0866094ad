package dev.escapement.benchmarks.clustercrash.judge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds every broken promise. */
public final class Judge {

    private Judge() {}

    /** The promises, each with what breaks it; an empty list is a promise that was kept. */
    public static Map<String, List<String>> of(Evidence evidence) {
        History history = evidence.history();
        Map<String, List<String>> findings = new LinkedHashMap<>();
        findings.put("P1 a target is taken only when it is free, or its holder is over", Holders.in(history));
        findings.put("P1 no two runs on one target at once", Starts.overlapsIn(history));
        findings.put("P1 epochs only grow", Holders.epochsIn(history));
        findings.put("P2 no execution started two runs", Starts.twiceIn(history));
        findings.put("P2 only the run that ledger and status name was started", Starts.unnamedIn(history));
        findings.put("P3 what happened is remembered until a person clears or deletes it", Memories.in(history));
        findings.put("P4 every acknowledged request is accounted for", Endings.lostIn(evidence));
        findings.put("P4 no run was deleted behind the back of its execution", Endings.deletedRunsIn(history));
        findings.put("P5 nothing ran before its time", TooSoon.in(evidence));
        findings.put("P6 every no says why and until when", Reasons.in(history));
        findings.put("phases move as they may, and what is final stays", Phases.in(history));
        findings.put("what ran and what was recorded agree", Starts.contradictionsIn(history));
        findings.put("every execution came to its end", Endings.unfinishedIn(history));
        findings.put("no target is stuck", Endings.stuckIn(history));
        findings.put("every transition was told once", Told.in(evidence));
        return findings;
    }
}
