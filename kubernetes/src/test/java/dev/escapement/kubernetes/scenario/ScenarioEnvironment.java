package dev.escapement.kubernetes.scenario;

import dev.escapement.testkit.cluster.TestCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster, its operator, and all executions that the scenarios create. */
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

    void register(CreatedExecution execution) {
        createdExecutions.add(execution);
    }

    /** Runs an action while no operator is running, then starts one. */
    void runWithoutOperator(Runnable action) {
        operator.close();
        try {
            action.run();
        } finally {
            operator = new InProcessOperator(cluster);
        }
    }

    /** Asserts that the runs of all executions still exist and that every transition was published once. */
    void verify() {
        createdExecutions.forEach(CreatedExecution::verifyRunAndEvents);
    }

    @Override
    public void close() {
        operator.close();
    }
}
