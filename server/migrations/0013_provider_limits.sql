-- For limits on the calls to a provider that apply to all processes together.
-- works with: 0.2.0

-- A row for each provider that was called. A process locks the row while it changes how many calls it may make to the provider.
create table providers (
  name text primary key,
  tokens double precision not null, -- how many calls may begin now, if calls per minute are limited
  filled_at timestamptz(3) not null, -- when `tokens` was last increased
  closed_until timestamptz(3) -- the provider has asked for no calls before then; null: it never has
);

-- How many calls each process may make. A process reports every few seconds. If it stops reporting, for example because it was
-- killed, its row does not count any more, so that its share of the calls becomes free for other processes.
create table provider_claims (
  provider text not null references providers (name) on delete cascade,
  holder uuid not null,
  granted integer not null, -- how many calls it may have in progress
  wanted integer not null, -- how many calls it has in progress or waiting
  served_at timestamptz(3), -- when `granted` was last raised
  seen_at timestamptz(3) not null,
  primary key (provider, holder)
);
