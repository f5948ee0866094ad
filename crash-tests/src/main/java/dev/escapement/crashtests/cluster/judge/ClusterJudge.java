package dev.escapement.crashtests.cluster.judge;

import dev.escapement.crashtests.kit.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds every violation of a promise in the evidence. */
public final class ClusterJudge {

    private ClusterJudge() {}

    public static Verdict judge(ClusterEvidence evidence) {
        EtcdHistory history = evidence.history();
        ClusterEvidence recorded = evidence.withoutLostEntries();
        Map<String, List<String>> findings = new LinkedHashMap<>();
        findings.put(
                "P1 a target is acquired only if it is free or its holder has finished",
                HolderCheck.check(recorded.history()));
        findings.put("P1 no two runs on one target at once", RunStartCheck.findOverlaps(history));
        findings.put("P1 epochs only increase", HolderCheck.checkEpochs(recorded.history()));
        findings.put("P2 no execution started two runs", RunStartCheck.findDoubleStarts(history));
        findings.put(
                "P2 only the run in ledger and status was started",
                RunStartCheck.findUnnamedStarts(recorded.history()));
        findings.put(
                "P3 the ledger keeps every outcome until a person clears or deletes it",
                LedgerMemoryCheck.check(recorded.history()));
        findings.put("P4 every acknowledged request is accounted for", FinalStateCheck.findLostRequests(evidence));
        findings.put(
                "P4 no run was deleted while its execution was unfinished", FinalStateCheck.findDeletedRuns(evidence));
        findings.put("P5 nothing ran too early", LedgerEarlyStartCheck.check(recorded));
        findings.put("P6 every skip has a reason and a time", ReasonCheck.check(history));
        findings.put("phases change only as allowed, and final phases never", PhaseCheck.check(history));
        findings.put("the records agree with the runs", RunStartCheck.findContradictions(history));
        findings.put("every execution finished", FinalStateCheck.findUnfinished(history));
        findings.put("no target is still held", FinalStateCheck.findStuckTargets(history));
        findings.put("every transition was published once", EventCheck.check(evidence));
        DeliveryCheck deliveries = new DeliveryCheck(evidence.events(), evidence.deliveries());
        findings.put("every published transition reached the audit sink", deliveries.findRecordsMissingAtSink());
        findings.put("the sink got the records of an execution in order", deliveries.findDisorder());
        findings.put("every skip, failure and clearance is in a notification", deliveries.findUnnotified());
        findings.put("every notification was delivered", deliveries.findUndelivered());
        return new Verdict(findings);
    }
}
