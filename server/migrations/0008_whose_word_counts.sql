-- Identity: memberships of which organization count, what an admin has decided, and until when credentials have ended.
-- works with: 0.2.0

alter table users
  add column owner boolean not null default false, -- made at the first start: no membership decides about this person
  add column active_by_hand boolean, -- what an admin decided last; null: nothing yet
  add column active_decided_at timestamptz(3),
  add column ended_at timestamptz(3); -- sessions and tokens made until then are over, also when the person is back

alter table directory_users add column deleted_at bigint; -- the provider's clock, ms

-- `role` is written for the previous version, which reads it; the role follows from the word and the settings.
alter table directory_memberships
  add column organization_id text, -- null: kept by the previous version, which did not keep it; '': the message named none
  add column role_word text, -- the provider's own word; null: kept by the previous version; '': the message named none
  add column joined_at bigint,
  add column left_at bigint;

-- The organization that was taken as the installation's own, where ATELIER_ORGANIZATION names none.
create table directory_organization (
  one boolean primary key default true check (one),
  organization_id text not null,
  taken_at timestamptz(3) not null default now_ms()
);

update users set owner = true where id = (select id from users where role = 'admin' order by created_at, id limit 1);

-- Where the provider's facts explain who is active, an admin decided nothing; where they do not, an admin did.
update users set active_by_hand = active, active_decided_at = now_ms()
where active <> coalesce((
  select not d.deleted
    and (exists (select from directory_memberships m where m.provider_id = d.provider_id and not m.deleted)
      or not exists (select from directory_memberships m where m.provider_id = d.provider_id))
  from directory_users d where d.user_id = users.id), true);
update users set ended_at = now_ms() where not active;

-- A provider that sends its messages of the last days again is to be heard: they name the organizations that were not kept.
delete from webhook_messages;
