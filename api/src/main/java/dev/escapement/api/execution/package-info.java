/** The resource {@link dev.escapement.api.execution.WorkflowExecution}. */
@NullMarked
package dev.escapement.api.execution;

import org.jspecify.annotations.NullMarked;
