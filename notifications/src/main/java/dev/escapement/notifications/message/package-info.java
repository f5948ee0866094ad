/** Decides which transitions become notifications, names them and writes their text. Pure: no I/O and no clock. */
package dev.escapement.notifications.message;
