-- API keys of model providers, which admins enter in the app. They are encrypted with ATELIER_SECRETS_KEY.
-- works with: 0.2.0

create table provider_keys (
  provider text primary key,
  sealed text not null, -- the API key, encrypted by server/src/platform/sealing.ts
  last4 text not null,
  set_at timestamptz(3) not null default now_ms(),
  by_user uuid references users,
  by_token uuid references tokens
);
