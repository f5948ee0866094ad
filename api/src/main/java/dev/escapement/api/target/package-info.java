/** The resource {@link dev.escapement.api.target.RemediationTarget}, and why a workflow may not run on a target now. */
@NullMarked
package dev.escapement.api.target;

import org.jspecify.annotations.NullMarked;
