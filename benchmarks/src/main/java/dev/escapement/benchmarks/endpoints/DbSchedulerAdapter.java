package dev.escapement.benchmarks.endpoints;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Makes the same calls with db-scheduler and the same client. It has one task with one instance per endpoint; an
 * instance is rescheduled to its next slot when its call has ended. It stores no history and plans nothing, so it has
 * less to do.
 */
final class DbSchedulerAdapter implements MeasuredScheduler {

    /** From its documentation, without the index for priorities. */
    private static final List<String> TABLE_SQL = List.of(
            """
            CREATE TABLE scheduled_tasks (
                task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
                execution_time timestamptz, picked boolean NOT NULL, picked_by text,
                last_success timestamptz, last_failure timestamptz, consecutive_failures int,
                last_heartbeat timestamptz, version bigint NOT NULL, priority smallint, state text,
                PRIMARY KEY (task_name, task_instance))""",
            "CREATE INDEX ON scheduled_tasks (execution_time)",
            "CREATE INDEX ON scheduled_tasks (last_heartbeat)");

    private static final TaskDescriptor<Void> TASK = TaskDescriptor.of("call");

    private final DbSchedulerSettings settings;
    private final HttpCallDispatcher dispatcher;
    private final HikariDataSource pool = new HikariDataSource();
    private final AtomicLong ended = new AtomicLong();
    private volatile long lastRecordedMicros;
    private volatile Runnable stop = () -> {};

    DbSchedulerAdapter(String url, DbSchedulerSettings settings) throws SQLException {
        this.settings = settings;
        this.dispatcher = BenchmarkCalls.newDispatcher(ConcurrencyLimits.uniform(settings.threads()));
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(settings.connections());
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : TABLE_SQL) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void start(Timetable timetable) {
        CustomTask<Void> task = Tasks.custom(TASK).execute((instance, context) -> call(timetable, instance, context));
        Scheduler scheduler = Scheduler.create(pool, task)
                .threads(settings.threads())
                .pollUsingLockAndFetch(settings.lower(), settings.upper())
                .pollingInterval(Duration.ofMillis(settings.pollMillis()))
                .shutdownMaxWait(Duration.ofSeconds(1))
                .build();
        List<SchedulableInstance<?>> instances = IntStream.range(0, timetable.count())
                .<SchedulableInstance<?>>mapToObj(endpoint -> SchedulableInstance.of(
                        TASK.instance(Integer.toString(endpoint)).build(), timetable.slot(endpoint, 1)))
                .toList();
        scheduler.scheduleBatch(instances);
        stop = scheduler::stop;
        scheduler.start();
    }

    private CompletionHandler<Void> call(Timetable timetable, TaskInstance<Void> instance, ExecutionContext context) {
        int endpoint = Integer.parseInt(instance.getId());
        Instant slot = context.getExecution().getExecutionTime();
        CompletableFuture<CallResult> result = new CompletableFuture<>();
        String key = timetable.key(endpoint, timetable.round(endpoint, slot));
        dispatcher.dispatch(BenchmarkCalls.callFor(timetable, endpoint), key, result::complete);
        result.join();
        return (complete, operations) -> {
            operations.reschedule(complete, slot.plus(timetable.interval()));
            ended.incrementAndGet();
            lastRecordedMicros = RecordedCall.epochMicros(Instant.now());
        };
    }

    @Override
    public Counters counters() {
        return new Counters(-1, ended.get(), lastRecordedMicros);
    }

    @Override
    public void close() {
        stop.run();
        dispatcher.close();
        pool.close();
    }
}
