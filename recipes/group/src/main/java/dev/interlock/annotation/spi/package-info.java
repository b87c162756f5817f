/**
 * What {@link dev.interlock.annotation.Locked} means, for frameworks that intercept calls.
 *
 * <pre>
 *   LockedCalls            runs a Call with what a Framework has
 *   LockedOperation        one annotation on one method, parsed and checked
 *     Expressions            the language of its texts, with NameText for what may be in a name
 *       ParameterExpressions   one for frameworks without their own
 *     ResultForms            when the work of a method is over, with the ResultTypes of the framework
 *   CallerTransaction      keeps the locks of the methods that run in it
 *   RunningMethods         refuses and awaits methods, for the end of an application
 * </pre>
 *
 * <p>A framework implements {@link dev.interlock.annotation.spi.Call}, {@link dev.interlock.annotation.spi.Framework},
 * {@link dev.interlock.annotation.spi.Expressions} and, if it has publishers or suspending functions,
 * {@link dev.interlock.annotation.spi.ResultTypes}. At its start it makes a
 * {@link dev.interlock.annotation.spi.LockedOperation} for each annotation of each method that it can intercept:
 *
 * <pre>{@code
 * ResultForms forms = new ResultForms(ResultTypes.OF_THE_JDK);
 * LockedCalls calls = new LockedCalls(framework);
 *
 * List<LockedOperation> operations = new ArrayList<>();
 * for (Locked annotation : method.getAnnotationsByType(Locked.class)) {
 *     operations.add(new LockedOperation(annotation, method, type, expressions, forms));
 * }
 *
 * // For each call, if there is an operation:
 * Object result = calls.run(call, operations);
 * }</pre>
 *
 * <p><b>What is left to the framework.</b> It refuses annotated methods that it cannot intercept, such as private,
 * static and final ones: a {@code LockedOperation} does not know. It finds annotations that are on an annotation, on
 * the type for its public methods, or on a method that is overridden, as it does with its own.
 *
 * <p><b>At the end</b>, after what calls methods has stopped: {@code running().end()} refuses new calls. Wait for the
 * future that it returns, for a bounded time, and then call {@link dev.interlock.Interlock#close()}, which releases
 * nothing that a method still needs. After {@code running().begin()} methods begin again.
 */
@NullMarked
package dev.interlock.annotation.spi;

import org.jspecify.annotations.NullMarked;
