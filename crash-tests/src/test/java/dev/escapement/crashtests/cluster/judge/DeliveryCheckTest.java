package dev.escapement.crashtests.cluster.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.crashtests.SingleQuotedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loses, disorders and leaves out deliveries, to show that the check finds it. */
class DeliveryCheckTest {

    private static final List<String> TYPES = List.of("WorkflowAccepted", "PipelineRunCreated", "WorkflowFailed");

    private final List<JsonNode> events = new ArrayList<>();
    private final List<JsonNode> records = new ArrayList<>();
    private final List<JsonNode> notifications = new ArrayList<>();
    private final Set<String> webhookIds = new TreeSet<>();

    @BeforeEach
    void addCorrectHistory() {
        for (String type : TYPES) {
            String transition = "{\"type\":\"%s\",\"at\":\"t\",\"target\":\"node/a\"}".formatted(type);
            ObjectNode event = JsonNodeFactory.instance.objectNode();
            event.putObject("metadata").putObject("annotations").put("kubernaut.ai/transition", transition);
            events.add(event);
            records.add(SingleQuotedJson.parse(
                    "{'id':'%s','event_type':'%s','occurred_at':'t','target_resource':'node/a','execution_id':'u'}"
                            .formatted(type, type)));
        }
        addNotification("Sent");
    }

    private void addNotification(String phase) {
        notifications.add(SingleQuotedJson.parse("{'metadata':{'name':'n'},'status':{'phase':'%s'}}".formatted(phase)));
        webhookIds.add("n");
    }

    private DeliveryCheck check() {
        return new DeliveryCheck(events, new ClusterDeliveries(records, notifications, webhookIds));
    }

    @Test
    void correctHistoryHasNoViolation() {
        records.add(records.get(0));
        assertThat(check().findRecordsMissingAtSink()).isEmpty();
        assertThat(check().findDisorder()).isEmpty();
        assertThat(check().findUnnotified()).isEmpty();
        assertThat(check().findUndelivered()).isEmpty();
    }

    @Test
    void findsLostRecord() {
        records.remove(1);
        assertThat(check().findRecordsMissingAtSink())
                .singleElement()
                .asString()
                .contains("PipelineRunCreated");
    }

    @Test
    void findsDisorder() {
        records.add(records.remove(0));
        assertThat(check().findDisorder()).singleElement().asString().contains("WorkflowAccepted");
    }

    @Test
    void findsTransitionWithoutNotification() {
        notifications.clear();
        assertThat(check().findUnnotified()).hasSize(1);
    }

    @Test
    void findsUndeliveredNotifications() {
        webhookIds.clear();
        assertThat(check().findUndelivered()).containsExactly("n is Sent, but did not arrive");
        notifications.clear();
        addNotification("Retrying");
        assertThat(check().findUndelivered()).containsExactly("n is Retrying");
    }
}
