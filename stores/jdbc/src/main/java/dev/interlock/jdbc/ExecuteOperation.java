package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.support.rules.Decision;
import java.sql.SQLException;

/** Executes a command: one transaction with LOCK_NAME, LOAD, the rules, the changes. */
final class ExecuteOperation {

    private final Session session;
    private final NameTables tables;
    private final Command command;

    /** What the statements know of a request: its name, its owner and its party. */
    private final Claim request;

    /** Executes this command. */
    ExecuteOperation(Session session, Command command) {
        this.session = session;
        this.tables = new NameTables(session);
        this.command = command;
        this.request = Claim.of(command.id(), command.owner(), command.lease(), command.party());
    }

    /** Runs the operation; returns whether the command was executed. */
    boolean run() throws SQLException {
        return session.inTransaction(
                () -> {
                    LoadedName name = tables.locked(request);
                    Decision<Boolean> decision = name.execute(command);
                    tables.save(name, decision.state(), decision.woken(), request);
                    return decision.answer();
                },
                new UnreachableWaiters(session, request)::wakeOthers);
    }
}
