package dev.escapement.process.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.process.catalogue.WorkflowParameter.ParameterType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterPatternTest {

    private static WorkflowParameter parameter(String regex) {
        Optional<ParameterPattern> pattern = Optional.of(ParameterPattern.compile(regex));
        return new WorkflowParameter("NAME", ParameterType.STRING, false, Optional.empty(), "", List.of(), pattern);
    }

    private static Optional<String> findProblem(String regex, String value) {
        return parameter(regex).findProblem(value);
    }

    @ParameterizedTest
    @CsvSource({
        "[a-z]+, web, true",
        "[a-z]+, web1, false",
        "'[a-z]{1,63}(-[a-z]{1,63}){0,9}', web-one, true",
        "'[a-z]+', 'web\n', false",
        "(?i)web, WEB, true",
        "\\d{3}-[\\w.]+, 123-a.b, true",
        "[^(){3}]{2}, ab, true",
        "\\Q(a{900}){900}\\E, (a{900}){900}, true"
    })
    void matchesWholeValue(String regex, String value, boolean matches) {
        assertThat(findProblem(regex, value).isEmpty()).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+", "(a|aa)+", "(a|a?)+", "(.*)*x", "(([a-z])+.)+[A-Z]([a-z])+"})
    void backtracksNever(String regex) {
        String value = "a".repeat(ParameterPattern.MAX_VALUE_LENGTH - 1) + "!";
        assertThat(findProblem(regex, value))
                .hasValueSatisfying(
                        problem -> assertThat(problem).startsWith("is \"aaaa").endsWith("it must match " + regex));
    }

    @Test
    void refusesLongValueWithoutMatchingIt() {
        assertThat(findProblem("a+", "a".repeat(4097)))
                .contains("has 4097 characters: the limit for a parameter with a pattern is 4096");
        assertThat(findProblem("a+", "a".repeat(4096))).isEmpty();
    }

    @Test
    void refusesValueWhoseMatchOverflowsTheStack() throws InterruptedException {
        WorkflowParameter chain = parameter("a?".repeat(400));
        // Also loads every class: one whose initialisation overflows the stack stays unusable.
        assertThat(chain.findProblem("b"))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("is \"b\""));
        AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.empty());
        Thread shallow = new Thread(null, () -> problem.set(findProblemAtEndOfStack(chain)), "shallow", 256 << 10);
        shallow.start();
        shallow.join();
        assertThat(problem.get())
                .hasValueSatisfying(text -> assertThat(text).startsWith("cannot be checked: its pattern a?a?"));
    }

    /** Fills the stack, then makes room frame by frame until the check gives an answer. */
    @SuppressWarnings("InfiniteRecursion")
    private static Optional<String> findProblemAtEndOfStack(WorkflowParameter parameter) {
        try {
            Optional<String> deeper = findProblemAtEndOfStack(parameter);
            return deeper.isPresent() ? deeper : parameter.findProblem("b");
        } catch (StackOverflowError end) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a(?=b) ; is not a regular expression of RE2, which has no references to groups and does not look"
                        + " ahead or behind: invalid or unsupported Perl syntax in (?=",
                "(a)\\1 ; is not a regular expression of RE2, which has no references to groups and does not look"
                        + " ahead or behind: invalid escape sequence in \\1",
                "[a-z&&[^b]] ; has &&, and classes cannot be intersected: list the characters",
                "((a{100}){100}){100} ; repeats a part 1000000 times: the limit is 1000, with counts inside of each"
                        + " other multiplied",
                "(a{2,}(b{20}|c)d{3}){51} ; repeats a part 1020 times: the limit is 1000, with counts inside of each"
                        + " other multiplied",
                "(abcdefghij){1000} ; is too large with all its repetitions written out (12002 steps, the limit is"
                        + " 2000): use lower counts"
            })
    void refusesWhatCannotBeMatchedSafely(String regex, String message) {
        assertThatThrownBy(() -> ParameterPattern.compile(regex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void refusesLongExpression() {
        assertThatThrownBy(() -> ParameterPattern.compile("a".repeat(1001)))
                .hasMessage("has 1001 characters: the limit is 1000");
    }
}
