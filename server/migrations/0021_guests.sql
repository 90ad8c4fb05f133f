-- Guests are people without an account, who see some or all creatives of a task through a link.
-- works with: 0.2.0

create table guest_links (
  id uuid primary key,
  task_id uuid not null references tasks on delete cascade,
  name text not null,
  hash bytea not null unique, -- the hash of the secret in the link's address
  password text, -- its salt and scrypt hash; null: no password is needed
  may_comment boolean not null,
  may_decide boolean not null,
  whole_task boolean not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  wrong_passwords integer not null default 0,
  wrong_since timestamptz(3),
  by_user uuid references users,
  by_token uuid references tokens,
  created_at timestamptz(3) not null default now_ms()
);
create index guest_links_of_task on guest_links (task_id, created_at, id);

create table guest_link_creatives (
  link_id uuid not null references guest_links on delete cascade,
  creative_id uuid not null references creatives on delete cascade,
  primary key (link_id, creative_id)
);
create index guest_link_creatives_of on guest_link_creatives (creative_id);

-- A person who has opened a link and entered a name.
create table guests (
  id uuid primary key,
  link_id uuid not null references guest_links on delete cascade,
  name text not null,
  hash bytea not null unique, -- the hash of the token in the guest's browser
  created_at timestamptz(3) not null default now_ms(),
  looked_at timestamptz(3)
);
create index guests_of_link on guests (link_id);

alter table review_comments add column by_guest uuid references guests on delete cascade;
alter table review_decisions add column by_guest uuid references guests on delete cascade;
create index review_comments_guest on review_comments (by_guest) where by_guest is not null;
create index review_decisions_guest on review_decisions (by_guest) where by_guest is not null;

-- The creatives that each guest may see: those of the guest's link that have a file. Deleted creatives, creatives of deleted tasks,
-- and those of revoked or expired links are left out.
create view guest_creatives as
  select g.id as guest_id, l.id as link_id, c.id as creative_id
  from guests g
  join guest_links l on l.id = g.link_id and l.revoked_at is null and l.expires_at > now()
  join tasks t on t.id = l.task_id and t.deleted_at is null
  join creatives c on c.task_id = t.id and c.deleted_at is null and c.file is not null
    and (l.whole_task or exists (select from guest_link_creatives o where o.link_id = l.id and o.creative_id = c.id));
