-- When a run is promoted, the graph does not get the variant that the run was made for. Until now, this variant was found in the
-- first checkpoint of the run, and guessed from its present definition once that checkpoint was removed.
-- works with: 0.2.0

-- The variant of its task that the run, or the run that it was forked from, was made for. 0: the whole task. Null: not stored,
-- because an older version made the run.
alter table runs add column for_variant integer;
