/** Documents about notifications of people. */
@NullMarked
package dev.escapement.api.notification;

import org.jspecify.annotations.NullMarked;
