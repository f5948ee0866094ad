/** Test utilities. Depends on no other module, so that the tests of every module can use it. */
package dev.escapement.testkit;
