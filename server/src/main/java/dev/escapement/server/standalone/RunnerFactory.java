package dev.escapement.server.standalone;

import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.InstantSource;
import java.util.function.Consumer;

/** What runs the workflows, where it is not processes of this machine. */
public interface RunnerFactory {

    /**
     * Opens it.
     *
     * @param changed to be called soon after a run went on or ended; it does not block
     */
    RunnerService open(Consumer<ExecutionRef> changed, InstantSource clock);
}
