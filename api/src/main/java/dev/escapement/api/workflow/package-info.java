/** The workflow catalogue of a standalone server. */
@NullMarked
package dev.escapement.api.workflow;

import org.jspecify.annotations.NullMarked;
