package dev.escapement.cli.command.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.CommandLineProgram;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.output.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LadderCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(boolean colour, boolean unicode, String... args) {
        return CommandLineProgram.run(new Terminal(new PrintWriter(out), new PrintWriter(err), colour, unicode), args);
    }

    private int run(String... args) {
        return run(false, true, args);
    }

    @Test
    void printsDefaultBackoffAsTableWithBars() {
        assertThat(run("ladder", "--attempts", "5")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString().lines().toList())
                .containsExactly(
                        "Backoff 1m → 10m, ×2, ±10 %",
                        "",
                        "attempt    nominal     lowest    highest   cumulative",
                        "      1         1m         1m       1m6s           1m  ████░",
                        "      2         2m      1m48s      2m12s           3m  ██████░░",
                        "      3         4m      3m36s      4m24s           7m  █████████████░░░",
                        "      4         8m      7m12s      8m48s          15m  ██████████████████████████░░░░░░",
                        "      5        10m         9m        10m          25m  ████████████████████████████████░░░░",
                        "",
                        "All together: 22m36s to 26m30s.");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void usesAsciiWithoutUnicodeAndColoursOnColourTerminal() {
        run(false, false, "ladder", "--simulate", "100");
        assertThat(out.toString()).matches("(?s)\\p{ASCII}*").contains("1m -> 10m, x2, +/-10 %");
        out.getBuffer().setLength(0);
        run(true, true, "ladder");
        assertThat(out.toString()).contains("\u001b[32m████");
    }

    @Test
    void printsOnlyJsonWithExactSeconds() throws Exception {
        assertThat(run("ladder", "--attempts", "5", "--within", "26m", "--simulate", "50", "--json"))
                .isEqualTo(ExitCodes.NO);
        JsonNode json = new JsonMapper().readTree(out.toString());
        assertThat(json.at("/baseSeconds").intValue()).isEqualTo(60);
        assertThat(json.at("/rungs/4/nominalSeconds").intValue()).isEqualTo(600);
        assertThat(json.at("/rungs/4/cumulativeHighestSeconds").intValue()).isEqualTo(1590);
        assertThat(json.at("/within/fits").booleanValue()).isFalse();
        assertThat(json.at("/simulation/callers").intValue()).isEqualTo(50);
        for (JsonNode wave : json.at("/simulation/returns")) {
            int returned = 0;
            for (JsonNode slice : wave.get("slices")) {
                returned += slice.intValue();
            }
            assertThat(returned).isEqualTo(50);
        }
    }

    @Test
    void simulationIsRepeatableForSameSeed() {
        run("ladder", "--simulate", "1000", "--attempts", "3", "--seed", "7");
        String first = out.toString();
        assertThat(first).contains("1,000 callers fail at the same instant");
        out.getBuffer().setLength(0);
        run("ladder", "--simulate", "1000", "--attempts", "3", "--seed", "7");
        assertThat(out).hasToString(first);
    }

    @Test
    void reportsThatAllCallersReturnTogetherWithoutJitter() throws Exception {
        run("ladder", "--jitter", "0", "--simulate", "1000", "--attempts", "2", "--json");
        assertThat(new JsonMapper()
                        .readTree(out.toString())
                        .at("/simulation/returns/1/fullestSecond")
                        .intValue())
                .isEqualTo(1000);
        out.getBuffer().setLength(0);
        run("ladder", "--jitter", "0");
        assertThat(out.toString()).contains("no jitter: callers that fail together retry together");
    }

    @ParameterizedTest
    @CsvSource({"26m30s, 0, fit within 26m30s", "26m29s, 1, do not fit within 26m29s"})
    void returnsWhetherWaitsFitAsExitCode(String budget, int exitCode, String answer) {
        assertThat(run("ladder", "--attempts", "5", "--within", budget)).isEqualTo(exitCode);
        assertThat(out.toString()).contains("5 waits take at most 26m30s: they " + answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--multiplier 0.5      | backoff multiplier is 0.5: it must be from 1.0 to 10.0",
                "--multiplier NaN      | backoff multiplier is NaN",
                "--multiplier two      | Invalid value for option '--multiplier': 'two' is not a double",
                "--jitter 60           | backoff jitterPercent is 60",
                "--base 20m            | backoff max is PT10M: it must not be shorter than base PT20M",
                "--base 5x             | \"5x\" is not a duration: write 30s",
                "--base -5m            | \"-5m\" is not a duration",
                "--attempts 0          | a ladder of 0 attempts",
                "--attempts 99999999   | a ladder of 99999999 attempts",
                "--simulate 0          | --simulate 0",
                "--simulate 1000000 --attempts 51 | at most 50,000,000 draws",
                "--base 36525d --max 36525d --attempts 4 --simulate 10 | of 4 attempts that take up to 146100d",
                "--max-exponent -1     | backoff maxExponent is -1",
                "--spread wide         | expected one of [PERCENT, FULL, EQUAL]",
                "--bse 1m              | Unknown options: '--bse'",
                "--max                 | Missing required parameter for option '--max'",
            })
    void rejectsInvalidValueWithShortMessage(String args, String message) {
        String[] words = ("ladder " + args.strip()).split(" ");
        assertThat(run(words)).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains(message).contains("Try 'escapement ladder --help'.");
        assertThat(err.toString().lines().count()).isLessThanOrEqualTo(3);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void rejectsUnknownCommandWithSuggestion() {
        assertThat(run("lader")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("lader").contains("Did you mean: escapement ladder");
    }

    @Test
    void printsHelpWithoutCommand() {
        assertThat(run()).isEqualTo(ExitCodes.OK);
        assertThat(out.toString())
                .contains("Usage: escapement")
                .contains("ladder")
                .contains("Exit codes:", "69   launcher");
    }

    @Test
    void helpNamesEveryOptionWithItsDefault() {
        assertThat(run("ladder", "--help")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString())
                .contains("--base=DURATION", "Default: 1m", "Default: 10m", "Default: 8", "--simulate", "Examples:");
    }

    @Test
    void detectsUnicodeFromLocaleVariables() {
        assertThat(Terminal.supportsUnicode(Map.of("LANG", "en_US.UTF-8"))).isTrue();
        assertThat(Terminal.supportsUnicode(Map.of("LANG", "en_US.UTF-8", "LC_ALL", "C")))
                .isFalse();
        assertThat(Terminal.supportsUnicode(Map.of("LC_CTYPE", "C.utf8"))).isTrue();
        assertThat(Terminal.supportsUnicode(Map.of("LANG", ""))).isFalse();
    }
}
