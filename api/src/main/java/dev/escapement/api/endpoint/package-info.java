/** Scheduled endpoints and their runs. */
@NullMarked
package dev.escapement.api.endpoint;

import org.jspecify.annotations.NullMarked;
