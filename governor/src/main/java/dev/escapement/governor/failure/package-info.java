/**
 * Why a run failed, and whether that was before or during its execution. Adapters turn what their executor knows into
 * {@link dev.escapement.governor.failure.RunFacts}; {@link dev.escapement.governor.failure.FailureClassifier} turns
 * those into a {@link dev.escapement.governor.failure.Failure}. Nothing here knows a client library.
 *
 * <p>Two questions, kept apart on purpose. <em>Had a step started?</em> decides what may happen to the target next, and
 * is answered from structured facts alone ({@link dev.escapement.governor.failure.StartStatus}). <em>Why did it
 * fail?</em> is for people, and may fall back on the text of messages, which anyone can write.
 */
package dev.escapement.governor.failure;
