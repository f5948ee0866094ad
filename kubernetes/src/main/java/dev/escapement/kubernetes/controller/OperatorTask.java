package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkQueue.WorkResult;
import java.util.function.Supplier;

/**
 * Work of the operator.
 *
 * @param key what it is about, such as {@code target node-n1}; also names it in the log
 */
record OperatorTask(String key, Supplier<WorkResult> action) implements WorkQueue.Item<OperatorTask> {

    @Override
    public OperatorTask mergedWith(OperatorTask earlier) {
        return this;
    }
}
