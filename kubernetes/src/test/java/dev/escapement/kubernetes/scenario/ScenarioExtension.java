package dev.escapement.kubernetes.scenario;

import dev.escapement.testkit.cluster.TestCluster;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts an operator for each class of scenarios and verifies all its executions at the end. The operator does not
 * outlive the class, because other tests of this JVM create executions that no operator may touch.
 */
final class ScenarioExtension implements ParameterResolver, AfterAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(ScenarioExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == OperatorScenario.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext classContext = context;
        while (classContext.getTestMethod().isPresent()) {
            classContext = classContext.getParent().orElseThrow();
        }
        return classContext
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        ScenarioEnvironment.class,
                        key -> new ScenarioEnvironment(InstalledCluster.installOn(TestCluster.shared())),
                        ScenarioEnvironment.class)
                .newScenario();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Optional<ScenarioEnvironment> environment = Optional.ofNullable(
                context.getStore(NAMESPACE).remove(ScenarioEnvironment.class, ScenarioEnvironment.class));
        if (environment.isPresent()) {
            try {
                environment.get().verify();
            } finally {
                environment.get().close();
            }
        }
    }
}
