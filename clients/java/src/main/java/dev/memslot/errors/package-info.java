/** What can go wrong, one exception class for each reason. */
@NullMarked
package dev.memslot.errors;

import org.jspecify.annotations.NullMarked;
