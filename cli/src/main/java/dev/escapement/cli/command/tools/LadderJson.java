package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.Ladder;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** JSON of a ladder. Times are seconds, as exact decimals. */
final class LadderJson {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private LadderJson() {}

    static String write(
            BackoffSettings settings, Ladder ladder, Optional<Duration> within, Optional<HerdSimulation> herd)
            throws JsonProcessingException {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("baseSeconds", seconds(settings.base()));
        root.put("maxSeconds", seconds(settings.max()));
        root.put("multiplier", settings.multiplier());
        root.put("jitterPercent", settings.jitterPercent());
        if (settings.maxExponent() != BackoffSettings.NO_MAX_EXPONENT) {
            root.put("maxExponent", settings.maxExponent());
        }
        root.put("spread", settings.spread().name().toLowerCase(Locale.ROOT));
        ArrayNode rungs = root.putArray("rungs");
        for (Ladder.Rung rung : ladder.rungs()) {
            rungs.addObject()
                    .put("attempt", rung.attempt())
                    .put("nominalSeconds", seconds(rung.nominal()))
                    .put("lowestSeconds", seconds(rung.lowest()))
                    .put("highestSeconds", seconds(rung.highest()))
                    .put("cumulativeSeconds", seconds(rung.cumulative()))
                    .put("cumulativeLowestSeconds", seconds(rung.cumulativeLowest()))
                    .put("cumulativeHighestSeconds", seconds(rung.cumulativeHighest()));
        }
        within.ifPresent(budget ->
                root.putObject("within").put("budgetSeconds", seconds(budget)).put("fits", ladder.fitsWithin(budget)));
        herd.ifPresent(given -> add(given, root.putObject("simulation")));
        return MAPPER.writeValueAsString(root);
    }

    private static void add(HerdSimulation herd, ObjectNode to) {
        ArrayNode waves = to.put("callers", herd.callers()).putArray("returns");
        for (HerdSimulation.RetryWave wave : herd.waves()) {
            ObjectNode row = waves.addObject()
                    .put("attempt", wave.attempt())
                    .put("firstSeconds", seconds(wave.first()))
                    .put("lastSeconds", seconds(wave.last()))
                    .put("fullestSecond", wave.fullestSecond());
            wave.slices().forEach(row.putArray("slices")::add);
        }
    }

    private static BigDecimal seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .stripTrailingZeros();
        // 10m is 600, not 6E+2.
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }
}
