package dev.interlock.kotlin

import dev.interlock.testkit.arch.ArchitectureRules

/** The rules of every module, for this one. */
internal class KotlinArchitectureTest : ArchitectureRules(Class.forName("dev.interlock.kotlin.Locks"))
