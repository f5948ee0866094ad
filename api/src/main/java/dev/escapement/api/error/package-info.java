/** The body of error responses. */
@NullMarked
package dev.escapement.api.error;

import org.jspecify.annotations.NullMarked;
