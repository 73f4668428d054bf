/** What the inside of the client promises. */
@NullMarked
package dev.memslot.internal;

import org.jspecify.annotations.NullMarked;
