-- One person for each subject: people who were created twice, first because of an access token and then by the webhook, are merged.
-- works with: 0.2.0

-- `kept` is the person who was created because of the token; work that was done with the token belongs to `kept`. `other` is the
-- person whom the webhook created; no access token has ever belonged to `other`.
create temporary table doubles on commit drop as
select d.provider_id, min(i.user_id::text)::uuid as kept, d.user_id as other
from directory_users d
join identities i on i.subject = d.provider_id
where d.user_id is not null
  and not exists (select from identities o where o.user_id = d.user_id)
group by d.provider_id, d.user_id
having count(distinct i.user_id) = 1
  and not exists (select from directory_users o where o.user_id::text = min(i.user_id::text));

-- What admins decided about either person applies to `kept`. If one of the two is inactive, `kept` becomes inactive. The role of
-- `other` is taken over only if an admin chose it and chose no role for `kept`.
update users set
  name = coalesce(users.name, o.name), email = coalesce(users.email, o.email),
  image_url = coalesce(users.image_url, o.image_url),
  role = case when o.role_by_hand and not users.role_by_hand then o.role else users.role end,
  role_by_hand = users.role_by_hand or o.role_by_hand,
  active = users.active and o.active,
  active_by_hand = least(users.active_by_hand, o.active_by_hand),
  active_decided_at = greatest(users.active_decided_at, o.active_decided_at),
  ended_at = greatest(users.ended_at, o.ended_at)
from doubles join users o on o.id = doubles.other where users.id = doubles.kept;

update directory_users set user_id = doubles.kept from doubles where directory_users.user_id = doubles.other;
update tokens set user_id = doubles.kept from doubles where tokens.user_id = doubles.other;
update sessions set user_id = doubles.kept from doubles where sessions.user_id = doubles.other;
update sign_in_links set user_id = doubles.kept from doubles where sign_in_links.user_id = doubles.other;
update tasks set assignee_id = doubles.kept from doubles where assignee_id = doubles.other;
update tasks set task_owner_id = doubles.kept from doubles where task_owner_id = doubles.other;
update creatives set assignee_id = doubles.kept from doubles where assignee_id = doubles.other;
update creatives set task_owner_id = doubles.kept from doubles where task_owner_id = doubles.other;

update users set active = false, active_by_hand = false, active_decided_at = now_ms(), ended_at = now_ms()
from doubles where users.id = doubles.other;
drop table doubles;
