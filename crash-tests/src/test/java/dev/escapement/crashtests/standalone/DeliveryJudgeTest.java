package dev.escapement.crashtests.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.SingleQuotedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Violates each promise once, to show that the judge finds it. */
class DeliveryJudgeTest {

    private final List<JsonNode> transitions = new ArrayList<>();
    private final List<JsonNode> trail = new ArrayList<>();
    private final List<JsonNode> sinkRecords = new ArrayList<>();
    private final List<JsonNode> notifications = new ArrayList<>();
    private final Set<String> webhookIds = new TreeSet<>();
    private String verification = "{'finished':true,'problems':[]}";

    @BeforeEach
    void addCorrectHistory() {
        for (int second = 1; second <= 3; second++) {
            String at = "2026-11-18T12:00:0%dZ".formatted(second);
            transitions.add(
                    SingleQuotedJson.parse("{'type':'WorkflowSkipped','at':'%s','target':'node/a'}".formatted(at)));
            JsonNode record = SingleQuotedJson.parse(
                    "{'id':'r%d','event_type':'WorkflowSkipped','occurred_at':'%s','target_resource':'node/a','correlation_id':'c'}"
                            .formatted(second, at));
            trail.add(SingleQuotedJson.parse(
                    "{'record':%s}".formatted(record.toString().replace('"', '\''))));
            sinkRecords.add(record);
        }
        addNotification("single", "Sent", "{}");
        addNotification("summary", "Sent", "{'count':2}");
    }

    private void addNotification(String name, String phase, String context) {
        notifications.add(
                SingleQuotedJson.parse("{'metadata':{'name':'%s'},'spec':{'context':%s},'status':{'phase':'%s'}}"
                        .formatted(name, context, phase)));
        webhookIds.add(name);
    }

    private List<String> brokenPromises() {
        DeliveryEvidence evidence = new DeliveryEvidence(
                transitions, trail, SingleQuotedJson.parse(verification), sinkRecords, notifications, webhookIds);
        return new DeliveryJudge(evidence)
                .checkPromises().entrySet().stream()
                        .filter(promise -> !promise.getValue().isEmpty())
                        .map(Map.Entry::getKey)
                        .toList();
    }

    @Test
    void correctHistoryBreaksNoPromise() {
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void repeatedRecordBreaksNoPromise() {
        sinkRecords.add(sinkRecords.get(0));
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void findsTransitionMissingInTrail() {
        trail.remove(2);
        assertThat(brokenPromises()).containsExactly("the audit trail has every transition once");
    }

    @Test
    void findsTransitionTwiceInTrail() {
        trail.add(trail.get(0));
        assertThat(brokenPromises()).containsExactly("the audit trail has every transition once");
    }

    @Test
    void findsChangedTrail() {
        verification = "{'finished':true,'problems':[{'kind':'changed'}]}";
        assertThat(brokenPromises()).containsExactly("the audit trail can be verified");
    }

    @Test
    void findsRecordThatDidNotReachSink() {
        sinkRecords.remove(1);
        assertThat(brokenPromises()).containsExactly("every audit record reached the sink");
    }

    @Test
    void findsDisorder() {
        sinkRecords.add(sinkRecords.remove(0));
        assertThat(brokenPromises()).containsExactly("the sink got the records of a correlation id in order");
    }

    @Test
    void findsTransitionWithoutNotification() {
        notifications.remove(0);
        assertThat(brokenPromises()).containsExactly("every skip, failure and clearance is in a notification");
    }

    @Test
    void findsNotificationThatDidNotArrive() {
        webhookIds.remove("single");
        assertThat(brokenPromises()).containsExactly("every notification was delivered");
    }

    @Test
    void findsNotificationThatWasGivenUp() {
        notifications.remove(0);
        addNotification("single", "Failed", "{}");
        assertThat(brokenPromises()).containsExactly("every notification was delivered");
    }
}
