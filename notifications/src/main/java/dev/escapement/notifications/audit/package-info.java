/** The audit trail: an append-only hash chain that is copied from the journal, and what verifies it. */
@NullMarked
package dev.escapement.notifications.audit;

import org.jspecify.annotations.NullMarked;
