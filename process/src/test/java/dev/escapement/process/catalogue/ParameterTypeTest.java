package dev.escapement.process.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.process.catalogue.WorkflowParameter.ParameterType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterTypeTest {

    @ParameterizedTest
    @CsvSource({
        "string, '', true",
        "integer, 3, true",
        "integer, -3, true",
        "integer, 123456789012345678901234567890, true",
        "integer, 3.0, false",
        "integer, '', false",
        "integer, ' 3', false",
        "integer, 0x10, false",
        "integer, ٣, false",
        "number, 3, true",
        "number, -0.5, true",
        "number, .5, true",
        "number, 1e9, true",
        "number, NaN, false",
        "number, '1,5', false",
        "number, ., false",
        "boolean, true, true",
        "boolean, false, true",
        "boolean, yes, false",
        "boolean, TRUE, false",
        "duration, 30s, true",
        "duration, PT5M, true",
        "duration, 30, false"
    })
    void acceptsOnlyValuesOfItsType(String type, String text, boolean accepted) {
        assertThat(ParameterType.parse(type).orElseThrow().accepts(text)).isEqualTo(accepted);
    }
}
