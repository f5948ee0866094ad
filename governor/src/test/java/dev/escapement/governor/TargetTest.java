package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.testkit.Property;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({
        "payment/deployment/payment-api, wfe-cf0cc089293b1165",
        "node/worker-node-1, wfe-ac45b7d6911e97a5",
        "payment/Deployment/payment-api, wfe-cf0cc089293b1165",
        "NODE/worker-node-1, wfe-ac45b7d6911e97a5",
        "ClusterRole/system:coredns, wfe-fbfb7762eadbcef5",
    })
    void derivesObjectNameFromCanonicalForm(String text, String objectName) {
        assertThat(Target.parse(text).objectName()).isEqualTo(objectName);
    }

    @Test
    void comparesKindIgnoringCase() {
        assertThat(Target.parse("a/Deployment/b")).isEqualTo(Target.parse("a/deployment/b"));
        assertThat(Target.parse("a/StatefulSet/b").canonical()).isEqualTo("a/statefulset/b");
        assertThat(Target.parse("a/deployment/b")).isNotEqualTo(Target.parse("a/deployment/c"));
        assertThat(Target.parse("a/deployment/b")).isNotEqualTo(Target.parse("deployment/b"));
        assertThat(Target.parse("node/worker.node-1.example")).hasToString("node/worker.node-1.example");
        assertThat(Target.parse("clusterrole/system:coredns").name()).isEqualTo("system:coredns");
        assertThat(Target.parse("kube-system/role/system::leader-locking-x.y").name())
                .isEqualTo("system::leader-locking-x.y");
        assertThat(Target.parse("node/n").namespace()).isEmpty();
        assertThat(Target.parse("ns/pod/n").namespace()).isEqualTo(Optional.of("ns"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                    | it has 1 parts, not 2 or 3",
                "payment-api           | it has 1 parts, not 2 or 3",
                "a/b/c/d               | it has 4 parts, not 2 or 3",
                "/node/worker          | its namespace is empty",
                "ns//name              | its kind is empty",
                "/name                 | its kind is empty",
                "node/                 | its name is empty",
                "ns/pod/               | its name is empty",
                "node/Worker           | its name \"Worker\" is not a Kubernetes name",
                "node/worker_1         | its name \"worker_1\"",
                "node/-worker          | its name \"-worker\"",
                "node/worker-          | its name \"worker-\"",
                "node/a..b             | its name \"a..b\"",
                "node/.a               | its name \".a\"",
                "node/a b              | its name \"a b\"",
                "n.s/pod/a             | its namespace \"n.s\"",
                "NS/pod/a              | its namespace \"NS\"",
                "ns/po d/a             | its kind \"po d\"",
                "'node/ü'              | its name \"ü\"",
                "node/:a               | its name \":a\"",
                "node/a:               | its name \"a:\"",
                "node/a.:b             | its name \"a.:b\"",
                "no:de/a               | its kind \"no:de\"",
                "n:s/pod/a             | its namespace \"n:s\"",
                "'\u212Aind/a'        | its kind \"\u212Aind\"",
            })
    void rejectsInvalidTargetWithPartAndFormat(String text, String problem) {
        assertThatThrownBy(() -> Target.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("target \"" + text + "\": ")
                .hasMessageContaining(problem)
                .hasMessageEndingWith("write namespace/kind/name, or kind/name for what has no namespace");
    }

    @Test
    void sanitizesAndTruncatesQuotedInput() {
        assertThatThrownBy(() -> Target.parse("node/a\u0000\nb"))
                .hasMessageStartingWith("target \"node/a b\": its name \"a b\" is not");
        assertThatThrownBy(() -> Target.parse("x".repeat(1_000_000))).message().hasSizeLessThan(500);
    }

    @Test
    void enforcesKubernetesLengthLimits() {
        assertThat(Target.parse("n".repeat(63) + "/pod/" + "a".repeat(253)).name())
                .hasSize(253);
        assertThatThrownBy(() -> Target.parse("pod/" + "a".repeat(254)))
                .hasMessageContaining("its name has 254 characters, the maximum is 253");
        assertThatThrownBy(() -> Target.parse("n".repeat(64) + "/pod/a"))
                .hasMessageContaining("its namespace has 64 characters, the maximum is 63");
    }

    @Test
    void canonicalFormRoundTrips() {
        Property.forAll(500, gen -> {
            String text = gen.oneOf("", "team-%d/".formatted(gen.between(0, 9)))
                    + gen.oneOf("Deployment", "NODE", "configmap", "Certificate.cert-manager.io")
                    + "/"
                    + gen.oneOf("a", "worker-1", "a.b-c.d", "system:", "system::leader-")
                    + gen.between(0, 99);
            Target target = Target.parse(text);
            assertThat(Target.parse(target.canonical())).isEqualTo(target);
            assertThat(target.objectName()).matches("wfe-[0-9a-f]{16}");
        });
    }
}
