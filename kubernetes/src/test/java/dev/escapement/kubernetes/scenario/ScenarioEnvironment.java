package dev.escapement.kubernetes.scenario;

import dev.escapement.testkit.cluster.TestCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster, the operator on it, and all that was asked for. */
final class ScenarioEnvironment implements AutoCloseable {

    private final TestCluster cluster;
    private final List<CreatedExecution> createdExecutions = new CopyOnWriteArrayList<>();
    private InProcessOperator operator;

    ScenarioEnvironment(TestCluster cluster) {
        this.cluster = cluster;
        this.operator = new InProcessOperator(cluster);
    }

    TestCluster cluster() {
        return cluster;
    }

    InProcessOperator operator() {
        return operator;
    }

    OperatorScenario newScenario() {
        return new OperatorScenario(this, cluster.createNamespace("scenario"));
    }

    void register(CreatedExecution one) {
        createdExecutions.add(one);
    }

    /** Does something while no operator is there. */
    void runWithoutOperator(Runnable something) {
        operator.close();
        try {
            something.run();
        } finally {
            operator = new InProcessOperator(cluster);
        }
    }

    /** Nothing that belongs to an execution has gone, and everything was told once. */
    void verify() {
        createdExecutions.forEach(CreatedExecution::verifyRunAndEvents);
    }

    @Override
    public void close() {
        operator.close();
    }
}
