package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares with cron-utils in UTC, where its results are correct. In other zones it drops runs that fall in a gap. */
class CronLibraryComparisonTest {

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    @Test
    void findsSameRunsAsLibraryInUtc() {
        Property.forAll(1_500, gen -> {
            String expression = String.join(
                    " ", field(gen, 0, 59), field(gen, 0, 23), field(gen, 1, 31), field(gen, 1, 12), field(gen, 0, 6));
            ExecutionTime library = ExecutionTime.forCron(PARSER.parse(expression));
            Instant after = Instant.ofEpochSecond(gen.between(0L, 4_000_000_000L));
            Optional<Instant> expected =
                    library.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toInstant);
            if (expected.isPresent()) {
                assertThat(CronExpression.of(expression, ZoneOffset.UTC).next(after))
                        .describedAs("%s after %s", expression, after)
                        .isEqualTo(expected.get());
            } else {
                assertThatThrownBy(() -> CronExpression.of(expression, ZoneOffset.UTC))
                        .hasMessageContaining("it can never run");
            }
        });
    }

    private static String field(Generator gen, int lowest, int highest) {
        if (gen.oneIn(3)) {
            return "*";
        }
        StringBuilder field = new StringBuilder(item(gen, lowest, highest));
        while (gen.oneIn(4)) {
            field.append(',').append(item(gen, lowest, highest));
        }
        return field.toString();
    }

    private static String item(Generator gen, int lowest, int highest) {
        int first = gen.between(lowest, highest);
        int last = gen.between(first, highest);
        int step = gen.between(1, (highest - lowest) / 2);
        return gen.oneOf(
                "" + first, first + "-" + last, first + "-" + last + "/" + step, "*/" + step, first + "/" + step);
    }
}
