package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    @Test
    void collapsesWhitespaceToOneLine() {
        assertThat(SafeText.sanitize("  two\r\n\t lines ", 99)).isEqualTo("two lines");
        assertThat(SafeText.sanitize(" \n ", 99)).isEmpty();
        assertThat(SafeText.sanitize("", 99)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000", "\u001b", "\u007f", "\u009b", "\u202e", "\u200b", "\u2028", "\u2029", "\ud800", "\u00a0",
                "\ue000", "\u0378"
            })
    void removesInvisibleCharacters(String invisible) {
        assertThat(SafeText.sanitize("a" + invisible + "b", 99)).isEqualTo("a b");
    }

    @Test
    void keepsShortTextAndMarksTruncation() {
        assertThat(SafeText.sanitize("abcde", 5)).isEqualTo("abcde");
        assertThat(SafeText.sanitize("abcde ", 5)).isEqualTo("abcde");
        assertThat(SafeText.sanitize("abcdef", 5)).isEqualTo("abcd…");
        assertThat(SafeText.sanitize("abc def", 5)).isEqualTo("abc …");
        assertThat(SafeText.sanitize("ab", 1)).isEqualTo("…");
    }

    @Test
    void doesNotSplitSurrogatePairs() {
        assertThat(SafeText.sanitize("abc😀😀", 5)).isEqualTo("abc…");
        assertThat(SafeText.sanitize("abc😀", 5)).isEqualTo("abc😀");
        assertThat(SafeText.sanitize("ab😀😀", 5)).isEqualTo("ab😀…");
    }

    @Test
    void replacesQuotesInsideQuotedText() {
        assertThat(SafeText.quote("a \"b\" c", 99)).isEqualTo("\"a 'b' c\"");
    }

    @Test
    void anySanitizedTextIsBoundedAndVisible() {
        Property.forAll(2_000, gen -> {
            StringBuilder text = new StringBuilder();
            for (int i = gen.length(0, 60); i > 0; i--) {
                text.append((char) gen.between(0, 0xffff));
            }
            int longest = gen.between(1, 50);
            String plain = SafeText.sanitize(text.toString(), longest);
            assertThat(plain.length()).isLessThanOrEqualTo(longest);
            assertThat(plain.codePoints()).noneMatch(Character::isISOControl);
            assertThat(plain).doesNotContain("  ").doesNotStartWith(" ");
        });
    }
}
