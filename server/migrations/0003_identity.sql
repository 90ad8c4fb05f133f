-- Identity: what a provider tells of people, and people's ways in.

-- An admin's choice of a role outlives what the provider says.
alter table users add column role_by_hand boolean not null default false;

-- People by the names issuers have for them: (issuer, subject) of access tokens.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  primary key (issuer, subject)
);

-- Webhook messages that had their effect; a repeat changes nothing.
create table webhook_messages (
  id text primary key,
  received_at timestamptz(3) not null default now_ms()
);
create index webhook_messages_age on webhook_messages (received_at);

-- What the provider said last of each of its users. A deleted one stays as a tombstone: messages come in any order.
create table directory_users (
  provider_id text primary key,
  user_id uuid references users,
  name text,
  email text,
  image_url text,
  changed_at bigint not null default 0, -- the provider's own clock, ms; older messages change nothing
  changed_key text not null default '', -- what was said then: of two words at one moment the same one always wins
  known boolean not null default false, -- somebody, not just an id that was deleted before we heard of it
  deleted boolean not null default false
);

-- Memberships of the workspace, each deletable for good; a person's role is that of the one changed last.
create table directory_memberships (
  membership_id text primary key,
  provider_id text not null,
  role text not null check (role in ('reader', 'writer', 'admin')),
  changed_at bigint not null default 0,
  deleted boolean not null default false
);
create index directory_memberships_of_user on directory_memberships (provider_id);
