package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which executions a real API server accepts, and its messages for the others. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class SpecSchemaIT {

    private static final String LABEL = "a".repeat(63);
    private static final String MAX_LENGTH_NAME = String.join(".", LABEL, LABEL, LABEL, "a".repeat(61));

    private final CrdTestCluster crdCluster;

    SpecSchemaIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
    }

    @AfterAll
    void cleanUp() {
        crdCluster.close();
    }

    static Arguments[] validValues() {
        return new Arguments[] {
            Arguments.of("targetResource", LABEL + "/Deployment/" + MAX_LENGTH_NAME),
            Arguments.of("targetResource", "shop/" + MAX_LENGTH_NAME.replace('a', 'K') + "/a.b-c"),
            Arguments.of("workflowRef/workflowId", "x".repeat(1024)),
            Arguments.of("workflowRef/containerDigest", "sha256:" + "0a".repeat(32)),
            Arguments.of("parameters/QUOTES", "\"'`\n\t\\ $(rm -rf /) ${x} {{y}} \u00e9 \ud83d\udd27"),
            Arguments.of("parameters/LARGE", "x".repeat(16_000)),
            Arguments.of("parameters/a.b-c_D", ""),
            Arguments.of("parameters", parametersOf(512, 20)),
            Arguments.of("confidence", 0),
            Arguments.of("confidence", 0.75),
            Arguments.of("rationale", "\ud83d\udd27".repeat(16 << 10)),
            Arguments.of("executionConfig/timeout", "1h30m"),
            Arguments.of("executionConfig/timeout", "PT5M"),
            Arguments.of("executionConfig/timeout", ""),
            Arguments.of("executionConfig/serviceAccountName", MAX_LENGTH_NAME),
            Arguments.of("executionConfig/engine", "job"),
            Arguments.of("remediationRequestRef", Map.of("name", "rr-1", "namespace", "ops", "uid", "u"))
        };
    }

    @ParameterizedTest
    @MethodSource("validValues")
    void acceptsAndReadsValidValue(String path, Object value) {
        UntypedExecution execution = crdCluster.newExecution(path, value);
        UntypedExecution created = crdCluster.admin().resource(execution).create();
        assertThat(created.getSpec()).isEqualTo(execution.getSpec());
        assertThat(CrdTestCluster.read(created).workflowId()).isNotEmpty();
    }

    static Arguments[] invalidValues() {
        return new Arguments[] {
            Arguments.of("targetResource", "", "neither 2 nor 3 parts"),
            Arguments.of("targetResource", "worker-1", "neither 2 nor 3 parts"),
            Arguments.of("targetResource", "a/b/c/d", "neither 2 nor 3 parts"),
            Arguments.of("targetResource", "/worker-1", "its kind \"\" is not a name"),
            Arguments.of("targetResource", "node/", "its name \"\" is not a Kubernetes name"),
            Arguments.of("targetResource", "/deployment/x", "its namespace \"\" is not the name of a"),
            Arguments.of("targetResource", "Shop/deployment/x", "its namespace \"Shop\" is not the name of a"),
            Arguments.of("targetResource", "a.b/deployment/x", "its namespace \"a.b\" is not the name of a"),
            Arguments.of("targetResource", LABEL + "a/pod/x", "at most 63 characters"),
            Arguments.of("targetResource", "a/my kind/x", "its kind \"my kind\" is not a name"),
            Arguments.of("targetResource", "node/Worker", "its name \"Worker\" is not a Kubernetes name"),
            Arguments.of("targetResource", "node/a..b", "its name \"a..b\" is not a Kubernetes name"),
            Arguments.of("targetResource", "node/" + "a".repeat(254), "at most 253 characters"),
            Arguments.of("targetResource", "a".repeat(600), "Too long"),
            Arguments.of("targetResource", 5, "must be of type string"),
            Arguments.of("workflowRef", Map.of(), "Required value"),
            Arguments.of("workflowRef/workflowId", "", "it is empty"),
            Arguments.of("workflowRef/workflowId", " \t\n", "it is empty"),
            Arguments.of("workflowRef/workflowId", "x".repeat(1025), "Too long"),
            Arguments.of("workflowRef/containerImage", "two words", "it has white space in it"),
            Arguments.of("workflowRef/containerDigest", "sha256:abc", "it is not a digest"),
            Arguments.of("workflowRef/digest", "sha256:abc", "unknown field"),
            Arguments.of("parameters/DEPTH", 2, "must be of type string"),
            Arguments.of("parameters/1ST", "x", "each name must begin with a letter"),
            Arguments.of("parameters", parametersOf(30, 1000), "more than 16384 characters"),
            Arguments.of("parameters", parametersOf(513, 1), "Too many"),
            Arguments.of("confidence", -0.1, "greater than or equal to 0"),
            Arguments.of("confidence", 1.1, "less than or equal to 1"),
            Arguments.of("confidence", "high", "must be of type number"),
            Arguments.of("rationale", "x".repeat((16 << 10) + 1), "Too long"),
            Arguments.of("executionConfig/timeout", "0s", "it must be longer than zero"),
            Arguments.of("executionConfig/timeout", "-5m", "it is not a duration"),
            Arguments.of("executionConfig/timeout", "5", "it is not a duration"),
            Arguments.of("executionConfig/timeout", "soon", "it is not a duration"),
            Arguments.of("executionConfig/serviceAccountName", "Me", "it is not the name of a service account"),
            Arguments.of("executionConfig/engine", "argo", "supported values"),
            Arguments.of("executionConfig/retries", 3, "unknown field"),
            Arguments.of("remediationRequestRef", Map.of("namespace", "ops"), "name: Required value"),
            Arguments.of("remediationRequestRef/name", " ", "it is empty"),
            Arguments.of("target", "node/worker-1", "unknown field"),
        };
    }

    @ParameterizedTest
    @MethodSource("invalidValues")
    void rejectsInvalidValueWithFieldAndRule(String path, Object value, String rule) {
        assertThat(crdCluster.rejection(crdCluster.newExecution(path, value)).orElse("accepted"))
                .contains("spec." + path.replace("/", ".").replaceFirst("\\.(1ST)$", ""))
                .contains(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"workflowRef", "targetResource"})
    void namesMissingRequiredField(String field) {
        UntypedExecution execution = crdCluster.newExecution("confidence", 1);
        execution.getSpec().remove(field);
        assertThat(crdCluster.rejection(execution).orElse("accepted")).contains("spec." + field + ": Required value");
    }

    @Test
    void schemaAndParserAgreeOnTargets() {
        Property.forAll(400, gen -> {
            String text = randomTarget(gen);
            boolean accepted = crdCluster
                    .rejection(crdCluster.newExecution("targetResource", text))
                    .isEmpty();
            assertThat(accepted)
                    .describedAs(text)
                    .isEqualTo(Target.tryParse(text).isPresent());
        });
    }

    private static String randomTarget(Generator gen) {
        StringBuilder text = new StringBuilder();
        for (int parts = gen.oneOf(1, 2, 2, 2, 3, 3, 3, 4); parts > 0; parts--) {
            text.append(gen.oneOf("a", "Pod", "node", "x.y", "a-b", "n0", LABEL, "k8s.io"));
            text.append(gen.oneIn(6) ? gen.oneOf("-", ".", "_", " ", "..z", "A", "\u00e9", "\n", MAX_LENGTH_NAME) : "");
            text.append(parts > 1 ? "/" : "");
        }
        return text.toString();
    }

    /** The schema may be stricter than the parser, but the operator must be able to read every accepted value. */
    @Test
    void everyAcceptedTimeoutIsParseable() {
        Property.forAll(400, gen -> {
            String text = randomTimeout(gen);
            if (crdCluster
                    .rejection(crdCluster.newExecution("executionConfig/timeout", text))
                    .isEmpty()) {
                assertThat(DurationText.parse(text)).describedAs(text).isPositive();
            }
        });
    }

    private static String randomTimeout(Generator gen) {
        StringBuilder text = new StringBuilder(gen.oneIn(4) ? "PT" : "");
        for (int parts = gen.between(1, 3); parts > 0; parts--) {
            text.append("9".repeat(gen.length(0, 12))).append(gen.oneIn(4) ? ".5" : gen.oneOf("0", "1"));
            text.append(gen.oneOf("d", "h", "m", "s", "ms", "us", "ns", "H", "M", "S", ""));
        }
        return text.toString();
    }

    @Test
    void acceptsEveryFormattedTimeout() {
        Property.forAll(200, gen -> {
            String text = DurationText.format(
                    Duration.ofNanos(1 + gen.magnitude(Duration.ofDays(9000).toNanos())));
            assertThat(crdCluster.rejection(crdCluster.newExecution("executionConfig/timeout", text)))
                    .describedAs(text)
                    .isEmpty();
        });
    }

    private static Map<String, String> parametersOf(int count, int length) {
        Map<String, String> parameters = new TreeMap<>();
        IntStream.range(0, count).forEach(i -> parameters.put("P" + i, "x".repeat(length)));
        return parameters;
    }
}
