-- Keys of providers of models that admins give in the app, sealed with ATELIER_SECRETS_KEY.
-- works with: 0.2.0

create table provider_keys (
  provider text primary key,
  sealed text not null, -- by platform/sealing.ts: names the key it is sealed with, never that key or what is in it
  last4 text not null,
  set_at timestamptz(3) not null default now_ms(),
  by_user uuid references users,
  by_token uuid references tokens
);
