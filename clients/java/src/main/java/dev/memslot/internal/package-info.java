/** How the client works inside. Not part of the API: it changes without notice. */
@NullMarked
package dev.memslot.internal;

import org.jspecify.annotations.NullMarked;
