-- Signing in with a browser: links that sign a person in, and sessions.

-- Each link works once. If two requests use a link at the same time, only the one that sets `used_at` signs the person in.
create table sign_in_links (
  hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_in_links_age on sign_in_links (expires_at);

-- Signed-in browsers. `hash` is the hash of the browser's cookie; the browser's short-lived bearer tokens contain `id`.
create table sessions (
  id uuid primary key,
  hash bytea not null unique,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  expires_at timestamptz(3) not null, -- the session ends then, even if it is in use
  last_used_at timestamptz(3) not null default now_ms()
);
create index sessions_age on sessions (expires_at);
