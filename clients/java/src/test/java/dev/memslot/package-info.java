/** What the client promises, shown against a real sidecar. */
@NullMarked
package dev.memslot;

import org.jspecify.annotations.NullMarked;
