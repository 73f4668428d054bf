/** The driver of tests/conformance: one JSON object a line in, one a line out. */
@NullMarked
package dev.memslot.driver;

import org.jspecify.annotations.NullMarked;
