package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DigestsTest {

    @Test
    void computesSha256() {
        assertThat(Digests.sha256Hex("abc", 32))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Digests.sha256Hex(new byte[] {'a', 'b', 'c'}, 32)).isEqualTo(Digests.sha256Hex("abc", 32));
        assertThat(Digests.sha256Hex(new byte[0], 32)).hasSize(64);
    }

    @Test
    void shortensDigest() {
        assertThat(Digests.sha256Hex("node/worker-node-1", 8)).isEqualTo("ac45b7d6911e97a5");
        assertThatThrownBy(() -> Digests.sha256Hex("x", 33)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
