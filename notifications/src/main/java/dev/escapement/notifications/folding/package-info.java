/** Limits how many notifications a storm makes: what exceeds the limit of a window is counted in one summary. Pure. */
package dev.escapement.notifications.folding;
