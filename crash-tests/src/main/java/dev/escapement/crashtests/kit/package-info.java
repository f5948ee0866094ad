/** The packaged program in a process of its own, as a user runs it. */
package dev.escapement.crashtests.kit;
