package dev.escapement.kubernetes.scenario;

import dev.escapement.cluster.testing.TestCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster, the operator on it, and all that was asked for. */
final class Stage implements AutoCloseable {

    private final TestCluster cluster;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private RunningOperator operator;

    Stage(TestCluster cluster) {
        this.cluster = cluster;
        this.operator = new RunningOperator(cluster);
    }

    TestCluster cluster() {
        return cluster;
    }

    RunningOperator operator() {
        return operator;
    }

    Scenario scenario() {
        return new Scenario(this, cluster.freshNamespace("scenario"));
    }

    void add(Asked one) {
        asked.add(one);
    }

    /** Does something while no operator is there. */
    void without(Runnable something) {
        operator.close();
        try {
            something.run();
        } finally {
            operator = new RunningOperator(cluster);
        }
    }

    /** Nothing that belongs to an execution has gone, and everything was told once. */
    void check() {
        asked.forEach(Asked::check);
    }

    @Override
    public void close() {
        operator.close();
    }
}
