-- Notices outside the app: how each person wants them, what is to be sent, and the messages it is sent in.
-- works with: 0.2.0

-- People without a row have what the contract says of people who have said nothing.
create table notice_settings (
  user_id uuid primary key references users on delete cascade,
  mail_kinds jsonb not null default '{}', -- kind to boolean; a kind that is not in it goes by its default
  chat_kinds jsonb not null default '{}',
  digest text not null default 'at_once',
  digest_at text not null default '09:00', -- times of day in the time zone
  quiet_from text,
  quiet_to text,
  time_zone text not null default 'UTC',
  check ((quiet_from is null) = (quiet_to is null))
);

-- Incoming webhooks; that of nobody is the workspace's.
create table chat_addresses (
  user_id uuid references users on delete cascade,
  service text not null,
  url text not null
);
create unique index chat_addresses_of on chat_addresses (coalesce(user_id, '00000000-0000-0000-0000-000000000000'));

-- One message to one person, from when it is put together until it is over.
create table messages (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  channel text not null,
  made_at timestamptz(3) not null default now_ms(),
  next_at timestamptz(3) not null default now_ms(), -- not tried before; while one process tries, the end of its lease
  tries integer not null default 0,
  outcome text, -- null: under way
  said text, -- the other server's last words
  ended_at timestamptz(3)
);
create index messages_due on messages (next_at, id) where outcome is null;
create index messages_of on messages (user_id, channel, made_at desc);
create index messages_ended on messages (ended_at) where outcome is not null;

-- A notice that is to be sent, made in the transaction of the notice. Gone once its message is over.
create table deliveries (
  id uuid primary key,
  notice_id uuid not null references notices on delete cascade,
  user_id uuid not null references users on delete cascade,
  channel text not null,
  at timestamptz(3) not null default now_ms(),
  due_at timestamptz(3) not null default now_ms(), -- not looked at before
  message_id uuid references messages on delete cascade
);
create unique index deliveries_waiting_once on deliveries (notice_id, channel) where message_id is null;
create index deliveries_due on deliveries (due_at, user_id, channel) where message_id is null;
create index deliveries_of on deliveries (user_id, channel) where message_id is null;
create index deliveries_message on deliveries (message_id) where message_id is not null;
create index deliveries_notice on deliveries (notice_id);
