package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.Property;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyedRandomTest {

    /**
     * The delays were computed by an independent program from the formula in docs/backoff.md. Stored plans depend on
     * them: if this fails, the code is wrong, not the numbers.
     */
    @ParameterizedTest
    @CsvSource({
        "'', 1, 32291083576",
        "payment/deployment/payment-api, 1, 32215144958",
        "payment/deployment/payment-api, 2, 57653861293",
        "payment/deployment/payment-api, 5, 297778896588",
        "node/worker-node-1, 1, 30152717553",
        "ключ 鍵 🔑, 3, 130640712487",
    })
    void sameKeyAndAttemptGiveRecordedDelay(String key, int attempt, long nanos) {
        assertThat(Backoff.standard().delayNanos(attempt, key)).isEqualTo(nanos);
        assertThat(Backoff.standard().delay(attempt, key).toNanos()).isEqualTo(nanos);
    }

    @Test
    void drawsEachAttemptOfKeyIndependently() {
        long differing = 0;
        for (int attempt = 6; attempt < 1_006; attempt++) {
            if (Backoff.standard().delayNanos(attempt, "k")
                    != Backoff.standard().delayNanos(attempt + 1, "k")) {
                differing++;
            }
        }
        assertThat(differing).isEqualTo(1_000);
    }

    @Test
    void scaleEqualsExactArithmetic() {
        Property.forAll(5_000, gen -> {
            long bits = gen.random().nextLong();
            long width = 1 + gen.magnitude(Long.MAX_VALUE - 1);
            BigInteger unsigned = new BigInteger(Long.toUnsignedString(bits));
            assertThat(KeyedRandom.scale(width, bits))
                    .isEqualTo(unsigned.multiply(BigInteger.valueOf(width))
                            .shiftRight(64)
                            .longValueExact());
        });
    }
}
