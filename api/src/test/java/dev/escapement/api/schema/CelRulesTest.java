package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.SampleDocuments;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CelRulesTest {

    @Test
    void everyRuleOfEverySchemaHasAJavaFormAndNoneIsUnused() {
        Set<String> used = new TreeSet<>();
        SampleDocuments.KINDS.keySet().forEach(kind -> used.addAll(rules(kind).keySet()));
        used.removeIf(rule -> rule.contains("oldSelf"));
        assertThat(CelRules.expressions()).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void hasRulesAgainstChangeOfSpecAndOfFinishedExecution() {
        assertThat(rules("WorkflowExecution"))
                .containsEntry(
                        "self == oldSelf",
                        "the spec of an execution never changes; create another execution under a new"
                                + " name instead, and cancel this one with the annotation kubernaut.ai/cancelled-by if it"
                                + " should stop")
                .containsEntry(
                        "!has(oldSelf.phase) || oldSelf.phase == self.phase || oldSelf.phase == 'Pending'"
                                + " || oldSelf.phase == 'Running' && self.phase in ['Completed', 'Failed']",
                        "a finished execution cannot change, and a running one can only complete or fail");
    }

    @Test
    void hasRuleAgainstChangeOfHolderWithoutHigherEpoch() {
        assertThat(rules("RemediationTarget"))
                .containsEntry(
                        "self == oldSelf",
                        "the target of an entry cannot be changed; only the operator writes these objects")
                .containsEntry(
                        "self.epoch >= oldSelf.epoch", "the epoch never decreases; the writer had read an older entry")
                .containsEntry(
                        "!has(oldSelf.holder) || !has(self.holder) || oldSelf.holder.uid == self.holder.uid"
                                + " || self.epoch > oldSelf.epoch",
                        "the holder cannot change without a higher epoch; the writer had read an older entry");
    }

    /** Returns the messages of a schema's rules by their expressions. */
    private static Map<String, String> rules(String kind) {
        Map<String, String> rules = new TreeMap<>();
        collect(SampleDocuments.parseYaml(SchemaValidator.text(kind)), rules);
        return rules;
    }

    private static void collect(Object schema, Map<String, String> rules) {
        if (schema instanceof List<?> list) {
            list.forEach(item -> collect(item, rules));
        } else if (schema instanceof Map<?, ?> map) {
            if (map.get("rule") instanceof String rule && map.get("message") instanceof String message) {
                rules.put(CelRules.normalize(rule), message);
            }
            map.values().forEach(value -> collect(value, rules));
        }
    }

    @Test
    void refusesUnknownRule() {
        assertThatThrownBy(() -> CelRules.get("self.size() > 3"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the rule \"self.size() > 3\" has no Java form: add it to CelRules");
    }
}
