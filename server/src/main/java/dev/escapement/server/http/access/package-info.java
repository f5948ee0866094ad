/** Who calls and what they may do: tokens, rights and sessions of the dashboard. */
package dev.escapement.server.http.access;
