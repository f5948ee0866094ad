package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.SampleDocuments;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CelRulesTest {

    @Test
    void everyRuleOfEverySchemaHasAJavaFormAndNoneIsUnused() {
        Set<String> used = new TreeSet<>();
        SampleDocuments.KINDS
                .keySet()
                .forEach(kind -> collect(SampleDocuments.parseYaml(SchemaLoader.text(kind)), used));
        assertThat(CelRules.expressions()).containsExactlyInAnyOrderElementsOf(used);
    }

    private static void collect(Object schema, Set<String> rules) {
        if (schema instanceof List<?> list) {
            list.forEach(item -> collect(item, rules));
        } else if (schema instanceof Map<?, ?> map) {
            if (map.get("rule") instanceof String rule && map.get("message") instanceof String) {
                rules.add(CelRules.normalize(rule));
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
