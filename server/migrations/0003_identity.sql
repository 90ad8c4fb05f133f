-- Identity: what the identity provider reports about people, and which access tokens belong to which person.

-- True if an admin has chosen the person's role. The provider's reports then no longer change the role.
alter table users add column role_by_hand boolean not null default false;

-- The person for each issuer and subject that access tokens contain.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users,
  created_at timestamptz(3) not null default now_ms(),
  primary key (issuer, subject)
);

-- The ids of webhook messages that were applied. A message with such an id is a repetition, and changes nothing.
create table webhook_messages (
  id text primary key,
  received_at timestamptz(3) not null default now_ms()
);
create index webhook_messages_age on webhook_messages (received_at);

-- The newest profile of each of the provider's users. The row of a deleted user is kept, because older messages about the user may
-- arrive later.
create table directory_users (
  provider_id text primary key,
  user_id uuid references users,
  name text,
  email text,
  image_url text,
  changed_at bigint not null default 0, -- when the profile changed, by the provider's clock, in ms; older profiles are ignored
  changed_key text not null default '', -- the profile as text; of two profiles with one time, the greater text wins
  known boolean not null default false, -- false if nothing but the deletion of this id was reported
  deleted boolean not null default false
);

-- Memberships in organizations of the provider. A deleted membership stays deleted. Of the others, the one that was changed last
-- decides the person's role.
create table directory_memberships (
  membership_id text primary key,
  provider_id text not null,
  role text not null check (role in ('reader', 'writer', 'admin')),
  changed_at bigint not null default 0,
  deleted boolean not null default false
);
create index directory_memberships_of_user on directory_memberships (provider_id);
