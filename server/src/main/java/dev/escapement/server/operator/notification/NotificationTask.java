package dev.escapement.server.operator.notification;

import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkQueue.WorkResult;
import java.util.function.Supplier;

/**
 * Work on notifications.
 *
 * @param key what it is about; also names it in the log
 */
record NotificationTask(String key, Supplier<WorkResult> action) implements WorkQueue.Item<NotificationTask> {

    @Override
    public NotificationTask mergedWith(NotificationTask earlier) {
        return this;
    }
}
