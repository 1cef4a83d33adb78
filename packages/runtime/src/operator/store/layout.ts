/**
 * The tables of an operator database. `BIGINT` is written for the engine. `agent` and `account` are `chainId/address` in lower
 * case; amounts that may pass 64 bits are decimal text; times are milliseconds since 1970.
 */
export const OPERATOR_TABLES = `
  CREATE TABLE IF NOT EXISTS operator_lease (
    name TEXT NOT NULL PRIMARY KEY,
    token BIGINT NOT NULL,
    holder TEXT NOT NULL,
    expires_at_ms BIGINT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS operator_nonce (
    account TEXT NOT NULL PRIMARY KEY,
    next_nonce BIGINT NOT NULL CHECK (next_nonce >= 0)
  );
  CREATE TABLE IF NOT EXISTS operator_action (
    id TEXT NOT NULL PRIMARY KEY,
    agent TEXT NOT NULL,
    number BIGINT NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    once TEXT,
    decision_id TEXT,
    target TEXT NOT NULL,
    data TEXT NOT NULL,
    spend_atomic TEXT NOT NULL,
    reasoning_hash TEXT,
    reasoning_uri TEXT,
    state TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    signed_at_ms BIGINT,
    nonce BIGINT,
    hash TEXT,
    block_number BIGINT,
    block_hash TEXT,
    succeeded BIGINT,
    gas_cost_wei TEXT NOT NULL,
    outcome TEXT,
    CHECK ((nonce IS NULL) = (signed_at_ms IS NULL)),
    UNIQUE (agent, number)
  );
  CREATE UNIQUE INDEX IF NOT EXISTS operator_action_once ON operator_action (agent, once)
    WHERE once IS NOT NULL AND state NOT IN ('reverted', 'replaced', 'abandoned');
  CREATE UNIQUE INDEX IF NOT EXISTS operator_action_nonce ON operator_action (account, nonce)
    WHERE nonce IS NOT NULL AND state NOT IN ('replaced');
  CREATE INDEX IF NOT EXISTS operator_action_state ON operator_action (agent, state);
  CREATE INDEX IF NOT EXISTS operator_action_signed ON operator_action (agent, signed_at_ms);
  CREATE TABLE IF NOT EXISTS operator_attempt (
    hash TEXT NOT NULL PRIMARY KEY,
    action_id TEXT NOT NULL REFERENCES operator_action (id),
    attempt BIGINT NOT NULL,
    raw TEXT NOT NULL,
    gas_limit TEXT NOT NULL,
    max_fee_wei TEXT NOT NULL,
    max_priority_fee_wei TEXT NOT NULL,
    signed_at_ms BIGINT NOT NULL,
    sent_at_ms BIGINT,
    UNIQUE (action_id, attempt)
  );
  CREATE TABLE IF NOT EXISTS operator_decision (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    option_id TEXT NOT NULL,
    code TEXT NOT NULL,
    reason TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    detail TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, id)
  );
  CREATE INDEX IF NOT EXISTS operator_decision_time ON operator_decision (agent, at_ms);
  CREATE TABLE IF NOT EXISTS operator_subject (
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (agent, kind, id)
  );
  CREATE TABLE IF NOT EXISTS operator_cursor (
    agent TEXT NOT NULL,
    source TEXT NOT NULL,
    block_number BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    PRIMARY KEY (agent, source)
  );
  CREATE TABLE IF NOT EXISTS operator_work (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    detail TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, id)
  );
  CREATE TABLE IF NOT EXISTS operator_purchase (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    paid_atomic TEXT NOT NULL,
    detail TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, id)
  );
  CREATE TABLE IF NOT EXISTS operator_halt (
    agent TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,
    at_ms BIGINT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS operator_report (
    agent TEXT NOT NULL,
    holder TEXT NOT NULL,
    detail TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, holder)
  );
`
