-- Identity: which organization's memberships count, what admins have decided about people, and which credentials are invalid.
-- works with: 0.2.0

alter table users
  add column owner boolean not null default false, -- created at the service's first start; memberships do not affect this person
  add column active_by_hand boolean, -- the last decision of an admin whether the person is active; null: none
  add column active_decided_at timestamptz(3),
  add column ended_at timestamptz(3); -- sessions and tokens from before are invalid, even if the person is active again

alter table directory_users add column deleted_at bigint; -- when the user was deleted by the provider, in ms since 1970

-- The column `role` is still written, because the previous version reads it. This version derives the role from `role_word` and the
-- settings.
alter table directory_memberships
  add column organization_id text, -- null: the row is from the previous version; '': the message named none
  add column role_word text, -- the provider's word for the role; null and '' as in `organization_id`
  add column joined_at bigint,
  add column left_at bigint;

-- The organization whose memberships count if ATELIER_ORGANIZATION is not set. The service adopted it when it started and knew no
-- other.
create table directory_organization (
  one boolean primary key default true check (one),
  organization_id text not null,
  taken_at timestamptz(3) not null default now_ms()
);

update users set owner = true where id = (select id from users where role = 'admin' order by created_at, id limit 1);

-- If the provider's messages do not explain why a person is active or inactive, an admin must have decided it.
update users set active_by_hand = active, active_decided_at = now_ms()
where active <> coalesce((
  select not d.deleted
    and (exists (select from directory_memberships m where m.provider_id = d.provider_id and not m.deleted)
      or not exists (select from directory_memberships m where m.provider_id = d.provider_id))
  from directory_users d where d.user_id = users.id), true);
update users set ended_at = now_ms() where not active;

-- Forgets which messages were applied. If the provider sends the messages of the last days again, they are applied again, and name
-- the organizations of memberships, which the previous version did not store.
delete from webhook_messages;
