/** Audit records: what happened to executions and targets, when, and who requested it. */
@NullMarked
package dev.escapement.api.audit;

import org.jspecify.annotations.NullMarked;
