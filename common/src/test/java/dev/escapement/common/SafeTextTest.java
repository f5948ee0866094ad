package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    @Test
    void putsTextOnOneLine() {
        assertThat(SafeText.sanitize("  a\n\tb\u0000\u202ec\u2028 d\ue000 ", 100))
                .isEqualTo("a b c d");
    }

    @Test
    void cutsLongText() {
        assertThat(SafeText.sanitize("abcdef", 6)).isEqualTo("abcdef");
        assertThat(SafeText.sanitize("abcdefg", 6)).isEqualTo("abcde…");
        assertThat(SafeText.sanitize("abcd\ud83d\udd27gh", 6)).isEqualTo("abcd…");
        assertThat(SafeText.sanitize("x".repeat(5_000_000), 3)).isEqualTo("xx…");
    }

    @Test
    void quotesText() {
        assertThat(SafeText.quote("say \"x\"\n", 100)).isEqualTo("\"say 'x'\"");
    }

    @Test
    void removesTerminalSequencesAndKeepsLines() {
        assertThat(SafeText.multiLine("a\u001b[1;31mred\u001b[0m\n\tb\u009b2Jc\u0007\u001bd\u001b["))
                .isEqualTo("ared\n\tbcd");
        // What stands before and after a sequence does not become one character.
        assertThat(SafeText.multiLine("\ud83d\u001b[m\udd27")).isEmpty();
    }

    @Test
    void findsInvisibleCharacters() {
        assertThat(SafeText.containsInvisible("a b\n\tc")).isFalse();
        assertThat(SafeText.containsInvisible("a\u200bb")).isTrue();
    }

    @Test
    void replacesWhatIsNotPrintable() {
        assertThat(SafeText.printable("a\u0000\r\n\u202e\ufffe\ud83d\ud83d\udd27z", 100))
                .isEqualTo("a\ufffd\r\n\ufffd\ufffd\ufffd\ud83d\udd27z");
        assertThat(SafeText.printable("ab\ud83d\udd27", 3)).isEqualTo("ab");
    }

    @Test
    void replacesWhatNoDatabaseHolds() {
        String fine = "a\n\ud83d\udd27";
        assertThat(SafeText.storable(fine)).isSameAs(fine);
        assertThat(SafeText.storable("\u0000a\ud83d\udd27\udd27b\ud83d")).isEqualTo("\ufffda\ud83d\udd27\ufffdb\ufffd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000", "\u001b", "\u007f", "\u009b", "\u202e", "\u200b", "\u2028", "\u2029", "\ud800", "\u00a0",
                "\ue000", "\u0378"
            })
    void sanitizeRemovesInvisibleCharacters(String invisible) {
        assertThat(SafeText.sanitize("a" + invisible + "b", 99)).isEqualTo("a b");
    }

    @Test
    void keepsShortTextAndMarksTruncation() {
        assertThat(SafeText.sanitize("", 99)).isEmpty();
        assertThat(SafeText.sanitize("abcde ", 5)).isEqualTo("abcde");
        assertThat(SafeText.sanitize("abc def", 5)).isEqualTo("abc …");
        assertThat(SafeText.sanitize("ab", 1)).isEqualTo("…");
        assertThat(SafeText.sanitize("abc😀", 5)).isEqualTo("abc😀");
        assertThat(SafeText.sanitize("ab😀😀", 5)).isEqualTo("ab😀…");
    }

    @Test
    void anySanitizedTextIsBoundedAndVisible() {
        Random random = new Random(42);
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(61); i > 0; i--) {
                text.append((char) random.nextInt(0x10000));
            }
            int maxLength = 1 + random.nextInt(50);
            String safe = SafeText.sanitize(text.toString(), maxLength);
            assertThat(safe.length()).isLessThanOrEqualTo(maxLength);
            assertThat(safe.codePoints()).noneMatch(Character::isISOControl);
            assertThat(safe).doesNotContain("  ").doesNotStartWith(" ");
        }
    }
}
