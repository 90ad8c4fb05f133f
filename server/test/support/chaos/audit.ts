// In charge of detecting, inside the database, what must never happen in the chaos test: triggers record every write of a worker
// to a run that the worker does not own, every result that replaces another, and every decrease of a counter that may only grow.
export type Limits = { lostSeconds: number; cancelSeconds: number }

/**
 * Creates the triggers, which record each violation in `chaos.violations`; that table must stay empty. A worker's name is the
 * application name of its connections, and a run's row stores the name of the run's worker. A worker's transaction may write
 * states, credits and files of a run only if it also writes the run's row, as the run's worker or to take the run from an overdue
 * worker. Any worker may write that a call was charged. `own_only` runs at the commit, since the run's row may be written last.
 */
export async function startAudit(
  run: (statements: string) => Promise<unknown>,
  { lostSeconds, cancelSeconds }: Limits,
): Promise<void> {
  await run(`
    create schema chaos;
    create table chaos.violations (at timestamptz not null default clock_timestamp(), what text not null);
    create table chaos.moves (xact xid8, at timestamptz not null default clock_timestamp(), run_id uuid, app text,
      was_held_by text, was text, is_now text, raised boolean, overdue boolean);
    create index on chaos.moves (xact, run_id);
    create index on chaos.moves (run_id);

    create function chaos.app() returns text language sql as $$ select current_setting('application_name') $$;
    create function chaos.tell(what text) returns void language sql as $$ insert into chaos.violations (what) values (what) $$;

    -- Whether a write changed only the sums of credits of a run, and did not lower the total.
    create function chaos.only_paid(old jsonb, new jsonb) returns boolean language sql as $$
      select new - '{credits_total,credits_consumed}'::text[] = old - '{credits_total,credits_consumed}'::text[]
        and (new->>'credits_total')::float8 >= (old->>'credits_total')::float8 $$;
    create function chaos.run_moved() returns trigger language plpgsql as $$
    begin
      if new.generation < old.generation or new.lease < old.lease or new.changes < old.changes
        or new.credits_total < old.credits_total or new.answers_given < old.answers_given then
        perform chaos.tell(format('something of run %s went down', new.id));
      end if;
      if new.generation = old.generation and new.credits_consumed < old.credits_consumed then
        perform chaos.tell(format('credits of the generation of run %s went down', new.id));
      end if;
      if (new.status = 'running') <> (new.worker is not null) then
        perform chaos.tell(format('run %s is %s and has the worker %s', new.id, new.status, new.worker));
      end if;
      if new.status = 'running' and old.status not in ('running', 'queued') then
        perform chaos.tell(format('run %s runs out of %s', new.id, old.status));
      end if;
      if old.status in ('succeeded', 'failed', 'cancelled') and new.status <> old.status and new.generation = old.generation
        and chaos.app() like '%/%' then
        perform chaos.tell(format('a worker made %s of run %s, which had %s', new.status, new.id, old.status));
      end if;
      if chaos.app() like '%/%' then
        insert into chaos.moves (xact, run_id, app, was_held_by, was, is_now, raised, overdue) values (
          pg_current_xact_id(), new.id, chaos.app(), old.worker, old.status, new.status, new.lease > old.lease,
          old.status = 'running' and (old.heartbeat_at < now() - interval '${lostSeconds} s'
            or old.cancel_requested_at < now() - interval '${cancelSeconds} s'));
        if old.status = 'running' and old.worker <> chaos.app() and not chaos.only_paid(to_jsonb(old), to_jsonb(new)) and not (new.lease > old.lease
          and (old.heartbeat_at < now() - interval '${lostSeconds} s'
            or old.cancel_requested_at < now() - interval '${cancelSeconds} s')) then
          perform chaos.tell(format('%s wrote to run %s of %s', chaos.app(), new.id, old.worker));
        end if;
      end if;
      return null;
    end $$;
    create trigger chaos_moved after update on runs for each row execute function chaos.run_moved();

    create function chaos.own_only() returns trigger language plpgsql as $$
    declare
      target uuid;
    begin
      if chaos.app() not like '%/%' then return null; end if;
      if tg_table_name = 'file_uses' then
        if new.used_by <> 'run' then return null; end if;
        target := new.user_key::uuid;
      else
        target := coalesce(new.run_id, old.run_id);
      end if;
      if tg_table_name = 'credit_entries' and to_jsonb(new)->>'outcome' = 'charged' then return null; end if;
      if not exists (select from chaos.moves m where m.xact = pg_current_xact_id() and m.run_id = target
        and ((m.was = 'running' and m.was_held_by = m.app) or (m.raised and m.overdue))) then
        perform chaos.tell(format('%s wrote %s of run %s, which it does not have', chaos.app(), tg_table_name, target));
      end if;
      return null;
    end $$;
    create constraint trigger chaos_own after insert or update or delete on run_states
      deferrable initially deferred for each row execute function chaos.own_only();
    create constraint trigger chaos_own after insert or update on credit_entries
      deferrable initially deferred for each row execute function chaos.own_only();
    create constraint trigger chaos_own after insert on file_uses
      deferrable initially deferred for each row execute function chaos.own_only();

    create function chaos.own_claim() returns trigger language plpgsql as $$
    begin
      if not exists (select from runs where id = new.run_id and lease = new.lease and status = 'running'
        and (worker = chaos.app() or chaos.app() not like '%/%')) then
        perform chaos.tell(format('%s claimed a key for run %s, which it does not have', chaos.app(), new.run_id));
      end if;
      return null;
    end $$;
    create trigger chaos_own after insert or update on cache_claims for each row execute function chaos.own_claim();

    create function chaos.once() returns trigger language plpgsql as $$
    begin
      if old.status in ('succeeded', 'cached') and chaos.app() like '%/%'
        and to_jsonb(new)->'generation' is not distinct from to_jsonb(old)->'generation'
        and not coalesce((to_jsonb(old)->>'stale')::boolean, false)
        and (new.status <> old.status or new.outputs::text is distinct from old.outputs::text) then
        perform chaos.tell(format('%s made %s of %s, which was %s (change %s, then %s; %s): run %s', chaos.app(), new.status, new.node_id,
          old.status, old.change, new.change, coalesce(new.error, 'no error'), (select format('%s, %s, generation %s, lease %s, deaths %s', id, status, generation, lease, deaths)
            from runs where id = new.run_id)));
      end if;
      return null;
    end $$;
    create trigger chaos_once after update on run_states for each row execute function chaos.once();

    create function chaos.settled_once() returns trigger language plpgsql as $$
    begin
      -- Only this change is allowed: a worker that has lost its run may learn that the call of an unknown entry was charged.
      if old.outcome <> 'intended' and not (old.outcome = 'unknown' and new.outcome = 'charged') then
        perform chaos.tell(format('the entry %s was %s and became %s', old.id, old.outcome, new.outcome));
      end if;
      return null;
    end $$;
    create trigger chaos_settled after update of outcome on credit_entries for each row execute function chaos.settled_once();`)
}
