package dev.escapement.kubernetes.scenario;

import dev.escapement.cluster.testing.TestCluster;
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

    private static final Namespace OURS = Namespace.create(ScenarioExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scenario.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent()) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        return ofClass.getStore(OURS)
                .computeIfAbsent(Stage.class, key -> new Stage(Installed.on(TestCluster.shared())), Stage.class)
                .scenario();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Optional<Stage> stage = Optional.ofNullable(context.getStore(OURS).remove(Stage.class, Stage.class));
        if (stage.isPresent()) {
            try {
                stage.get().check();
            } finally {
                stage.get().close();
            }
        }
    }
}
