package dev.escapement.kubernetes.scenario;

import dev.escapement.testkit.cluster.TestCluster;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each class of scenarios an operator of its own, and asks at its end whether everything is still there that
 * should be. Other tests of this JVM make executions that no operator may touch, so it does not outlive the class.
 */
final class ScenarioExtension implements ParameterResolver, AfterAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(ScenarioExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == OperatorScenario.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent()) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        return ofClass.getStore(NAMESPACE)
                .computeIfAbsent(
                        ScenarioEnvironment.class,
                        key -> new ScenarioEnvironment(InstalledCluster.installOn(TestCluster.shared())),
                        ScenarioEnvironment.class)
                .newScenario();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Optional<ScenarioEnvironment> stage = Optional.ofNullable(
                context.getStore(NAMESPACE).remove(ScenarioEnvironment.class, ScenarioEnvironment.class));
        if (stage.isPresent()) {
            try {
                stage.get().verify();
            } finally {
                stage.get().close();
            }
        }
    }
}
