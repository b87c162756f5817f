/** The table of forms over the recipes, which every store keeps. */
@NullMarked
package dev.interlock.testkit.contract.recipe;

import org.jspecify.annotations.NullMarked;
