/** Small programs that show the client at work. */
@NullMarked
package dev.memslot.examples;

import org.jspecify.annotations.NullMarked;
