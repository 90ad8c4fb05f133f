-- Calls of providers are bounded over all processes together.
-- works with: 0.2.0

-- A row for each provider that was asked; locked by whoever takes or gives back calls of it.
create table providers (
  name text primary key,
  tokens double precision not null, -- calls that may be begun now, where there is a bound for a minute
  filled_at timestamptz(3) not null, -- when `tokens` was counted
  closed_until timestamptz(3) -- it has said that it takes no calls before then
);

-- What each process holds. It counts as long as the process says so again; what a killed one held comes back by that.
create table provider_claims (
  provider text not null references providers (name) on delete cascade,
  holder uuid not null,
  granted integer not null, -- calls it may have under way
  wanted integer not null, -- calls it has under way or waiting
  served_at timestamptz(3), -- when it was last given one
  seen_at timestamptz(3) not null,
  primary key (provider, holder)
);
