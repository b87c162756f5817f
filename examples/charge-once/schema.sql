create table orders (
    id       bigint primary key,
    amount   numeric(10, 2) not null,
    status   varchar(10)    not null default 'OPEN',
    -- Who worked at it last, and the largest token that the order has seen.
    instance varchar(40),
    fence    bigint         not null default 0
);

-- The ledger. Nothing in it keeps an order from being charged twice.
create table charges (
    order_id bigint         not null references orders,
    amount   numeric(10, 2) not null,
    token    bigint         not null,
    instance varchar(40)    not null
);
