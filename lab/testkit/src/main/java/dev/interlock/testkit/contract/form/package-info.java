/** What every form keeps in which an adapter runs code under a lock. */
@NullMarked
package dev.interlock.testkit.contract.form;

import org.jspecify.annotations.NullMarked;
