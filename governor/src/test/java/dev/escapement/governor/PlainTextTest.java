package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {

    @Test
    void becomesOneLine() {
        assertThat(PlainText.of("  two\r\n\t lines ", 99)).isEqualTo("two lines");
        assertThat(PlainText.of(" \n ", 99)).isEmpty();
        assertThat(PlainText.of("", 99)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000", "\u001b", "\u007f", "\u009b", "\u202e", "\u200b", "\u2028", "\u2029", "\ud800", "\u00a0",
                "\ue000", "\u0378"
            })
    void losesWhatCannotBeSeen(String invisible) {
        assertThat(PlainText.of("a" + invisible + "b", 99)).isEqualTo("a b");
    }

    @Test
    void keepsWhatFitsAndMarksWhatIsCut() {
        assertThat(PlainText.of("abcde", 5)).isEqualTo("abcde");
        assertThat(PlainText.of("abcde ", 5)).isEqualTo("abcde");
        assertThat(PlainText.of("abcdef", 5)).isEqualTo("abcd…");
        assertThat(PlainText.of("abc def", 5)).isEqualTo("abc …");
        assertThat(PlainText.of("ab", 1)).isEqualTo("…");
    }

    @Test
    void neverCutsACharacterInTwo() {
        assertThat(PlainText.of("abc😀😀", 5)).isEqualTo("abc…");
        assertThat(PlainText.of("abc😀", 5)).isEqualTo("abc😀");
        assertThat(PlainText.of("ab😀😀", 5)).isEqualTo("ab😀…");
    }

    @Test
    void quotesCannotBeClosedFromWithin() {
        assertThat(PlainText.quoted("a \"b\" c", 99)).isEqualTo("\"a 'b' c\"");
    }

    @Test
    void anyTextIsBoundedAndVisible() {
        Property.forAll(2_000, gen -> {
            StringBuilder text = new StringBuilder();
            for (int i = gen.length(0, 60); i > 0; i--) {
                text.append((char) gen.between(0, 0xffff));
            }
            int longest = gen.between(1, 50);
            String plain = PlainText.of(text.toString(), longest);
            assertThat(plain.length()).isLessThanOrEqualTo(longest);
            assertThat(plain.codePoints()).noneMatch(Character::isISOControl);
            assertThat(plain).doesNotContain("  ").doesNotStartWith(" ");
        });
    }
}
