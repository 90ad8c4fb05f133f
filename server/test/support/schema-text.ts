// In charge of a database schema as text. After the migrations the text must be the same in every version of PostgreSQL and of the
// embedded database.
import type { Database } from '../../src/platform/db.ts'
import { rowsOf } from './harness.ts'

const inPublic = `relnamespace = 'public'::regnamespace`

/** Tables and views with their columns, constraints, indexes and triggers; then types, sequences and functions. */
const parts = [
  `select relname || ' 0' as place, case relkind when 'r' then 'table ' else 'view ' end || relname as line
   from pg_class where ${inPublic} and relkind in ('r', 'v')`,

  `select relname || ' 1 ' || lpad(attnum::text, 4, '0'), '  ' || attname || ' ' || format_type(atttypid, atttypmod)
     || case when attnotnull then ' not null' else '' end
     || case when attcollation <> typcollation then ' collate ' || collname else '' end
     || case attidentity when 'a' then ' identity' else '' end
     || coalesce(case attgenerated when 's' then ' generated ' else ' default ' end || pg_get_expr(adbin, adrelid), '')
   from pg_class
   join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
   join pg_type on pg_type.oid = atttypid
   left join pg_collation on pg_collation.oid = attcollation
   left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where ${inPublic} and relkind in ('r', 'v')`,

  `select relname || ' 2 ' || conname, '  constraint ' || conname || ': ' || pg_get_constraintdef(pg_constraint.oid)
   from pg_constraint join pg_class on pg_class.oid = conrelid
   where ${inPublic} and contype in ('c', 'f', 'p', 'u', 'x')`,

  `select tablename || ' 3 ' || indexname, '  ' || replace(indexdef, ' ON public.' || tablename, '')
   from pg_indexes where schemaname = 'public'
     and indexname not in (select conname from pg_constraint where contype in ('p', 'u', 'x'))`,

  `select relname || ' 4 ' || tgname, '  ' || replace(pg_get_triggerdef(pg_trigger.oid), ' ON public.' || relname, '')
   from pg_trigger join pg_class on pg_class.oid = tgrelid where ${inPublic} and not tgisinternal`,

  `select '~1 ' || typname, 'type ' || typname || ': ' || string_agg(enumlabel, ', ' order by enumsortorder)
   from pg_type join pg_enum on enumtypid = pg_type.oid where typnamespace = 'public'::regnamespace group by typname`,

  `select '~2 ' || sequencename, 'sequence ' || sequencename || ' ' || data_type
   from pg_sequences where schemaname = 'public'`,

  `select '~3 ' || proname, 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ') '
     || pg_get_function_result(pg_proc.oid) || ' ' || lanname
     || case provolatile when 'i' then ' immutable' when 's' then ' stable' else ' volatile' end
     || ', body ' || md5(prosrc)
   from pg_proc join pg_language on pg_language.oid = prolang where pronamespace = 'public'::regnamespace`,
]

export async function describeSchema(database: Database): Promise<string> {
  const rows = await rowsOf(database)<{ line: string }>(
    `select line from (${parts.join('\nunion all\n')}) as it order by place collate "C"`,
  )
  const lines = rows.map(({ line }) => (line.startsWith('  ') ? line : `\n${line}`))
  return `${lines.join('\n').trim()}\n`
}
