//! The shop's own tables, and the goods and orders it opens with.

/// Every table. Amounts are in cents; the shop sells in US dollars.
pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS products (
    sku             TEXT PRIMARY KEY,
    title           TEXT NOT NULL,
    price_cents     INTEGER NOT NULL,
    stock           INTEGER NOT NULL CHECK (stock >= 0)
) STRICT;

CREATE TABLE IF NOT EXISTS cards (
    card            TEXT PRIMARY KEY,
    last4           TEXT NOT NULL,
    closed          INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE IF NOT EXISTS orders (
    order_id        TEXT PRIMARY KEY,
    account         TEXT NOT NULL,
    email           TEXT NOT NULL,
    card            TEXT NOT NULL REFERENCES cards,
    delivered       INTEGER NOT NULL,
    gift_note       TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS items (
    item_id         TEXT PRIMARY KEY,
    order_id        TEXT NOT NULL REFERENCES orders,
    sku             TEXT NOT NULL REFERENCES products,
    gone_by         TEXT
) STRICT;

-- the card system: one payment for each idempotency key
CREATE TABLE IF NOT EXISTS payments (
    payment_id      TEXT PRIMARY KEY,
    idempotency_key TEXT NOT NULL UNIQUE,
    card            TEXT NOT NULL REFERENCES cards,
    amount          TEXT NOT NULL,
    reference       TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('prepared', 'captured', 'voided', 'refunded'))
) STRICT;

-- the warehouse: what was held for whom, and what was sent
CREATE TABLE IF NOT EXISTS holds (
    hold_id         TEXT PRIMARY KEY,
    sku             TEXT NOT NULL REFERENCES products,
    until_ms        INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS shipments (
    idempotency_key TEXT PRIMARY KEY,
    item_id         TEXT NOT NULL REFERENCES items,
    sku             TEXT NOT NULL REFERENCES products,
    return_id       TEXT NOT NULL
) STRICT;

-- post, wrapping table, workshop: one job for each key; none, here or above, for a key that was burned
CREATE TABLE IF NOT EXISTS jobs (
    idempotency_key TEXT PRIMARY KEY,
    job             TEXT NOT NULL,
    burned          INTEGER NOT NULL
) STRICT;

-- systems that do not answer at the moment, although they may do what they are told
CREATE TABLE IF NOT EXISTS silent_systems (
    system          TEXT PRIMARY KEY
) STRICT;

-- every effect is one row, written where it happens: counting them counts how often it happened
CREATE TABLE IF NOT EXISTS ledger (
    entry           INTEGER PRIMARY KEY,
    effect          TEXT NOT NULL,
    reference       TEXT NOT NULL
) STRICT;

-- who is signed in on the website
CREATE TABLE IF NOT EXISTS web_sessions (
    cookie          TEXT PRIMARY KEY,
    account         TEXT NOT NULL
) STRICT;

-- Session Tokens of Personal Agents: their digests, never the tokens
CREATE TABLE IF NOT EXISTS session_tokens (
    digest          TEXT PRIMARY KEY,
    session_id      TEXT NOT NULL,
    client          TEXT NOT NULL,
    user            TEXT NOT NULL,
    account         TEXT,
    scopes          TEXT NOT NULL,
    key_thumbprint  TEXT NOT NULL,
    operations      TEXT,
    expires_at_ms   INTEGER NOT NULL
) STRICT;
";

/// What the shop opens with, once: the orders of Ada, who is `acc_ada`.
pub(super) const GOODS: &str = "
INSERT OR IGNORE INTO products VALUES
    ('stormline-m',           'Stormline Jacket (M)',           18000, 5),
    ('stormline-insulated-m', 'Stormline Insulated Jacket (M)', 25000, 5),
    ('stormline-insulated-l', 'Stormline Insulated Jacket (L)', 25000, 5),
    ('ridgeline-42',          'Ridgeline Boots (42)',           15000, 5),
    ('ridgeline-43',          'Ridgeline Boots (43)',           15000, 5),
    ('ridgeline-winter-42',   'Ridgeline Winter Boots (42)',    19500, 5),
    ('summit-cap',            'Summit Cap',                      3000, 5),
    ('harbour-beanie',        'Harbour Beanie',                  2500, 5);

INSERT OR IGNORE INTO cards (card, last4, closed) VALUES ('crd_1', '4242', 0), ('crd_2', '1881', 1);

INSERT OR IGNORE INTO orders (order_id, account, email, card, delivered) VALUES
    ('ord_7Hk2', 'acc_ada', 'ada@example.net', 'crd_1', 1),
    ('ord_2Jx5', 'acc_ada', 'ada@example.net', 'crd_2', 1),
    ('ord_5Kp9', 'acc_ada', 'ada@example.net', 'crd_1', 0);

INSERT OR IGNORE INTO items (item_id, order_id, sku) VALUES
    ('itm_4Qa', 'ord_7Hk2', 'stormline-m'),
    ('itm_6Rg', 'ord_7Hk2', 'ridgeline-42'),
    ('itm_9Bo', 'ord_7Hk2', 'ridgeline-42'),
    ('itm_8Vt', 'ord_2Jx5', 'summit-cap'),
    ('itm_3Wb', 'ord_5Kp9', 'harbour-beanie');

INSERT OR IGNORE INTO web_sessions VALUES ('web_ada', 'acc_ada');
";
