/**
 * Small utilities that every module may use, each once: {@link dev.escapement.common.Json},
 * {@link dev.escapement.common.Digests}, {@link dev.escapement.common.SafeText}, {@link dev.escapement.common.Copies},
 * {@link dev.escapement.common.BoundedMap}, {@link dev.escapement.common.NamedThreadFactory},
 * {@link dev.escapement.common.FailureLog} and {@link dev.escapement.common.WorkQueue}.
 *
 * <p>The JDK is enough for most of them. {@code Json} needs jackson-databind, {@code FailureLog} and
 * {@code NamedThreadFactory} need slf4j-api, {@code WorkQueue} needs escapement-backoff too. They are optional
 * dependencies of this module, so that a pure module that only wants {@code SafeText} or {@code Digests} does not get
 * them.
 */
@NullMarked
package dev.escapement.common;

import org.jspecify.annotations.NullMarked;
