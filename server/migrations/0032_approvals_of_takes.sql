-- An approval may be for a new take of a picture that a comment requests. For the same run and plan, a new approval can now be
-- requested after the former one was used.
-- works with: 0.2.0

alter table approvals add column review_comment_id uuid references review_comments on delete cascade;
create index approvals_review_comment on approvals (review_comment_id) where review_comment_id is not null;
alter table approvals drop constraint approvals_run_id_digest_key;
create unique index approvals_not_used on approvals (run_id, digest) where used_at is null;
create index approvals_run on approvals (run_id, asked_at desc, id desc);
