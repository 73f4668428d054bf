/** What calls take and return: immutable values. No printed form shows a body. */
@NullMarked
package dev.memslot.model;

import org.jspecify.annotations.NullMarked;
