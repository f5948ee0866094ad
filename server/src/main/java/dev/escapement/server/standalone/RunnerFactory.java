package dev.escapement.server.standalone;

import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens a runner that replaces local processes. */
public interface RunnerFactory {

    /**
     * Opens the runner.
     *
     * @param runListener to be called soon after a run progressed or ended; does not block
     */
    RunnerService open(Consumer<ExecutionRef> runListener, InstantSource clock);
}
