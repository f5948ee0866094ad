package dev.escapement.testkit.cluster;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * For tests that need a real cluster: {@code @ExtendWith(ClusterExtension.class)}, and {@link TestCluster} as a
 * parameter.
 *
 * <p>Without the programs of the cluster such tests are skipped with a message. If {@code CI} is {@code true} they fail
 * instead, because skipped tests are not noticed there.
 */
public final class ClusterExtension implements ExecutionCondition, ParameterResolver {

    /** Skips cluster tests in a second run on another JDK, because the cluster does not depend on the JDK. */
    private static final String MODE_VARIABLE = "ESCAPEMENT_CLUSTER_TESTS";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if ("skip".equals(System.getenv(MODE_VARIABLE))) {
            return ConditionEvaluationResult.disabled(MODE_VARIABLE + " says so");
        }
        ClusterBinaries binaries = ClusterBinaries.ofCurrentProcess();
        if (binaries.missing().isEmpty()) {
            return ConditionEvaluationResult.enabled("the cluster's programs are there");
        }
        if ("true".equals(System.getenv("CI"))) {
            return ConditionEvaluationResult.enabled("this must not be skipped");
        }
        if (context.getTestMethod().isEmpty()) {
            System.err.println("\n!!! SKIPPED: " + context.getDisplayName() + ": " + binaries.missingMessage() + "\n");
        }
        return ConditionEvaluationResult.disabled(binaries.missingMessage());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return TestCluster.shared();
    }
}
