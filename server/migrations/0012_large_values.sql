-- Large outputs are shortened in responses. The shortened form is stored beside the outputs that the nodes made.
-- works with: 0.2.0

-- The trigger below sets these columns, so also in rows that older versions write. They are null in rows that are older than the
-- trigger.
alter table run_states
  add column shown json, -- the outputs as responses show them; null: as they are
  add column outputs_bytes integer,
  add column shown_bytes integer, -- the size of the outputs as responses show them
  add column kept_bytes integer; -- the size of `request` and `checkpoint` together

-- Adds a `$` to member names such as `$value`, so that clients never take a node's output for a reference to a shortened value. It
-- changes the text of the JSON, so numbers and the order of members stay as they are. A quoted text after `{` or `,` and before a
-- colon is a member name.
create function escape_references(made text) returns text language sql immutable parallel safe as $$
  select case when strpos(made, '$value"') = 0 then made
    else regexp_replace(made, '([{,]\s*)"(\$+value"\s*:)', '\1"$\2', 'g') end
$$;

-- Returns outputs as responses show them: a value whose JSON is longer than 64 KB is replaced by a reference, which has the value's
-- digest, size, type and beginning.
create function shown_outputs(outputs json) returns json language sql immutable parallel safe as $$
  select json_object_agg(o.key, case
      when octet_length(o.value::text) <= 65536 then escape_references(o.value::text)::json
      else json_build_object('$value', json_build_object(
        'digest', encode(sha256(convert_to(o.value::text, 'UTF8')), 'hex'), 'bytes', octet_length(o.value::text),
        'type', json_typeof(o.value), 'head', left(o.value #>> '{}', 500)))
    end)
  from json_each(outputs) o
$$;

create function note_outputs() returns trigger language plpgsql as $$
declare
  made text := new.outputs::text;
begin
  new.outputs_bytes := coalesce(octet_length(made), 0);
  new.shown_bytes := new.outputs_bytes;
  new.kept_bytes := coalesce(octet_length(new.request::text), 0) + coalesce(octet_length(new.checkpoint::text), 0);
  new.shown := null;
  if new.outputs_bytes > 65536 or strpos(made, '$value"') > 0 then
    new.shown := shown_outputs(new.outputs);
    new.shown_bytes := octet_length(new.shown::text);
  end if;
  return new;
end $$;

create trigger note_outputs before insert or update of outputs, request, checkpoint on run_states
  for each row execute function note_outputs();
