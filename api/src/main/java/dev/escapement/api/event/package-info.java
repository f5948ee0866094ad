/** What happens to executions and targets: transitions and progress. */
@NullMarked
package dev.escapement.api.event;

import org.jspecify.annotations.NullMarked;
