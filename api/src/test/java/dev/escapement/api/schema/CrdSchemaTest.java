package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.SampleDocuments;
import dev.escapement.common.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdSchemaTest {

    @ParameterizedTest
    @CsvSource({
        "WorkflowExecution,workflowexecutions",
        "RemediationTarget,remediationtargets",
        "NotificationRequest,notificationrequests"
    })
    void crdHasTheSchemaOfTheKind(String kind, String plural) {
        JsonNode crd = Json.mapper()
                .valueToTree(SampleDocuments.yamlFile("deploy/kubernetes/crds/" + plural + ".yaml")
                        .get(0));
        JsonNode schema = Json.mapper().valueToTree(SampleDocuments.parseYaml(SchemaValidator.text(kind)));
        assertThat(crd.at("/spec/versions/0/schema/openAPIV3Schema").toPrettyString())
                .isEqualTo(schema.toPrettyString());
    }
}
