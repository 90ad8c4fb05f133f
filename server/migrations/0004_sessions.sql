-- The browser's way in: links that sign somebody in, and the sessions they begin.

-- Each is good once; which of two openings was first is decided by the update of `used_at`.
create table sign_in_links (
  hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_in_links_age on sign_in_links (expires_at);

-- A browser that is signed in. `hash` is of its cookie; short-lived bearer tokens name the row by `id`.
create table sessions (
  id uuid primary key,
  hash bytea not null unique,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  expires_at timestamptz(3) not null, -- however much it is used
  last_used_at timestamptz(3) not null default now_ms()
);
create index sessions_age on sessions (expires_at);
