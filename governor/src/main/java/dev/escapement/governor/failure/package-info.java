/**
 * Classifies failed runs. Adapters turn what their executor reports into
 * {@link dev.escapement.governor.failure.RunFacts}; {@link dev.escapement.governor.failure.FailureClassifier} turns
 * those into a {@link dev.escapement.governor.failure.Failure}. The executor's reasons are data: each adapter hands in
 * a {@link dev.escapement.governor.failure.ReasonTable}.
 *
 * <p>Two questions are kept apart. Whether a step had started decides what may happen to the target next, and is
 * answered from structured facts alone ({@link dev.escapement.governor.failure.StartStatus}). Why the run failed is for
 * people, and may fall back on the text of messages, which anyone can write.
 */
package dev.escapement.governor.failure;
