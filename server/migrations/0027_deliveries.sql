-- Notices by mail and chat: people's settings, the notices that wait to be sent, and the messages in which they are sent.
-- works with: 0.2.0

-- Each person's settings. A person without a row has the default settings.
create table notice_settings (
  user_id uuid primary key references users on delete cascade,
  mail_kinds jsonb not null default '{}', -- kind → boolean; a kind that is missing has its default
  chat_kinds jsonb not null default '{}',
  digest text not null default 'at_once',
  digest_at text not null default '09:00', -- a time of day in `time_zone`, as are `quiet_from` and `quiet_to`
  quiet_from text,
  quiet_to text,
  time_zone text not null default 'UTC',
  check ((quiet_from is null) = (quiet_to is null))
);

-- The chats (their incoming webhooks) to which notices are sent. `user_id` is null for the chat of the whole workspace.
create table chat_addresses (
  user_id uuid references users on delete cascade,
  service text not null,
  url text not null
);
create unique index chat_addresses_of on chat_addresses (coalesce(user_id, '00000000-0000-0000-0000-000000000000'));

-- Messages. A message contains one or more notices to one person, and is kept for some days after it was sent or given up.
create table messages (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  channel text not null,
  made_at timestamptz(3) not null default now_ms(),
  next_at timestamptz(3) not null default now_ms(), -- when the next attempt is due; claiming the message postpones it
  tries integer not null default 0,
  outcome text, -- null: neither sent nor given up yet
  said text, -- the last reply of the mail server or chat server
  ended_at timestamptz(3)
);
create index messages_due on messages (next_at, id) where outcome is null;
create index messages_of on messages (user_id, channel, made_at desc);
create index messages_ended on messages (ended_at) where outcome is not null;

-- Notices to be sent on a channel (mail or chat). A row is written in the transaction of its notice, and deleted when the message
-- that contains the notice was sent or given up.
create table deliveries (
  id uuid primary key,
  notice_id uuid not null references notices on delete cascade,
  user_id uuid not null references users on delete cascade,
  channel text not null,
  at timestamptz(3) not null default now_ms(),
  due_at timestamptz(3) not null default now_ms(), -- when to check next whether it is time to send it
  message_id uuid references messages on delete cascade
);
create unique index deliveries_waiting_once on deliveries (notice_id, channel) where message_id is null;
create index deliveries_due on deliveries (due_at, user_id, channel) where message_id is null;
create index deliveries_of on deliveries (user_id, channel) where message_id is null;
create index deliveries_message on deliveries (message_id) where message_id is not null;
create index deliveries_notice on deliveries (notice_id);
