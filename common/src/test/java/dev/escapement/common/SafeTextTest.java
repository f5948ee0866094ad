package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
