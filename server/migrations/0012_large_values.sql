-- Large results are shown short: what a reader of a run gets stands beside what its nodes made.
-- works with: 0.2.0

-- Filled by the trigger below, whichever version writes the row; null in rows written before it.
alter table run_states
  add column shown json, -- outputs as readers get them, where that is not as they are
  add column outputs_bytes integer,
  add column shown_bytes integer, -- of the outputs as readers get them
  add column kept_bytes integer; -- of the request and the checkpoint

-- A key that looks like a reference gets one more `$`: what a node made is never taken for one. On text, which keeps every
-- number and the order of members as they are; in JSON text, a quote after `{` or `,` and before a colon is that of a key.
create function escape_references(made text) returns text language sql immutable parallel safe as $$
  select case when strpos(made, '$value"') = 0 then made
    else regexp_replace(made, '([{,]\s*)"(\$+value"\s*:)', '\1"$\2', 'g') end
$$;

-- Outputs as readers get them: of a value whose JSON is longer than 64 KB, what it is and how it begins.
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
