// In charge of refusing, with a clear message at the start, a PostgreSQL server that the service cannot use: it is too old, has
// another encoding, is a standby, or allows too few connections. A connection pool that assigns connections per transaction is
// refused too.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, sqlState } from './db.ts'
import { readMigrations, tablesMadeBy } from './migration-files.ts'
import { OperatorError, wordsOf } from './operator-error.ts'

const oldest = 15

/** The command that makes a database as it has to be, for messages. */
export const createdb = 'createdb -E UTF8 -T template0'

type Found = {
  version: number
  standby: boolean
  read_only: boolean
  encoding: string
  name: string
  role: string
  role_limit: number
  database_limit: number
  server_limit: number
  fresh: boolean
}

/** Whether the server is a standby. A process that starts may wait until the standby is promoted or the URL leads elsewhere. */
export async function isStandby({ main }: Database): Promise<boolean> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(main)
  return rows[0]?.standby === true
}

/** `named`: what names the address of the database, here and below. */
export const standbyWords = (named = 'DATABASE_URL'): string =>
  `The PostgreSQL server is a standby, which only reads. Point ${named} at the primary, or promote this one.`

/**
 * Throws if the service cannot use the database; returns a warning if the service can use it, but an operator should know something.
 * `connections`: the most connections that this process opens; null for a command that ends soon, for which the number of
 * connections is not checked.
 */
export async function refuseUnfit(
  { main }: Database,
  connections: number | null,
  named?: string,
): Promise<string | null> {
  const { rows } = await sql<Found>`
    select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as standby,
      current_setting('transaction_read_only')::bool as read_only, pg_encoding_to_char(d.encoding) as encoding,
      quote_ident(d.datname) as name, quote_ident(current_user) as role,
      r.rolconnlimit as role_limit, d.datconnlimit as database_limit,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server_limit,
      to_regclass('schema_migrations') is null as fresh
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`.execute(main)
  const [found] = rows
  if (found === undefined) return null
  const problem = problemOf(found, connections, named)
  if (problem !== null) throw new OperatorError(problem)
  return warningOf(found)
}

/** Returns the reason why the service cannot use the database; null if the service can use it. */
export function problemOf(found: Found, connections: number | null, named = 'DATABASE_URL'): string | null {
  if (found.version < oldest)
    return `PostgreSQL ${oldest} or newer is needed; ${named} leads to ${found.version}. Upgrade the server.`
  if (found.standby) return standbyWords(named)
  if (found.read_only)
    return (
      `Transactions of the role ${found.role} only read (default_transaction_read_only). ` +
      `Let it write: alter role ${found.role} set default_transaction_read_only = off.`
    )
  if (found.fresh && found.encoding !== 'UTF8')
    return (
      `The database ${found.name} keeps texts in ${found.encoding}, which has not every character. ` +
      `Make another one in UTF-8: ${createdb}`
    )
  return connections === null ? null : roomProblem(found, connections)
}

/** Returns what an operator should know of a database that the service can use; null if there is nothing. */
export function warningOf({ encoding, name }: Found): string | null {
  if (encoding === 'UTF8') return null
  return (
    `the database ${name} keeps texts in ${encoding}, not in UTF-8: some characters are refused, or compared and sorted wrongly. ` +
    `Make another one (${createdb}), and move to it with npm run backup and npm run restore`
  )
}

function roomProblem({ role, name, ...limits }: Found, connections: number): string | null {
  const bounds: [number, string][] = [
    [limits.role_limit, `the role ${role} may open (connection limit)`],
    [limits.database_limit, `the database ${name} takes (connection limit)`],
    [limits.server_limit, 'the server takes (max_connections without those for superusers)'],
  ]
  const tight = bounds.find(([limit]) => limit >= 0 && limit < connections)
  if (!tight) return null
  const [limit, what] = tight
  return (
    `This process opens up to ${connections} connections, and ${limit} is all that ${what}. ` +
    'Raise that, or lower ATELIER_DATABASE_CONNECTIONS; each further process takes as many.'
  )
}

/**
 * The tables that the role may not read and write, by whether this version's migrations make them. `schemas`: where Atelier's tables
 * are, as text of SQL.
 */
type MissingRights = { role: string; schemas: string; ours: string[]; others: string[] }

/**
 * Returns the tables that the role may not read and write; null if there are none. The role need not own the tables, and then has
 * no rights on those that a migration has added unless the owner has granted them. Its rights on `schema_migrations` do not matter
 * here, because it may only read that table.
 */
export async function missingRights({ main }: Database, migrations = readMigrations()): Promise<MissingRights | null> {
  const { rows } = await sql<{ name: string; table: string; schema: string; ours: string; role: string }>`
    select format('%I.%I', n.nspname, c.relname) as name, c.relname::text as table, n.nspname::text as schema,
      migrations.relnamespace::regnamespace::text as ours, quote_ident(current_user) as role
    from pg_class migrations, pg_class c join pg_namespace n on n.oid = c.relnamespace
    where migrations.oid = to_regclass('schema_migrations') and c.oid <> migrations.oid
      and c.relowner = migrations.relowner and c.relkind in ('r', 'p')
      and (c.relnamespace = migrations.relnamespace or n.nspname = 'pgboss')
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by 1`.execute(main)
  const [first] = rows
  if (first === undefined) return null
  const made = tablesMadeBy(migrations)
  // An operator may keep tables there that are not ours, and a newer version has some that this one knows nothing of.
  const isOurs = ({ schema, table }: { schema: string; table: string }) => schema === 'pgboss' || made.has(table)
  return {
    ...{ role: first.role, schemas: `${first.ours}, pgboss` },
    ours: rows.filter(isOurs).map(({ name }) => name),
    others: rows.filter((row) => !isOurs(row)).map(({ name }) => name),
  }
}

/** Returns why a process cannot serve or work with these rights; null if the tables are none of this version's. */
export function rightsProblem({ role, schemas, ours }: MissingRights): string | null {
  if (ours.length === 0) return null
  return (
    `The role ${role} may not read and write ${ours.join(', ')}, and Atelier does not start without that. Run in this database, as its ` +
    `superuser, and start again (docs/deploying.md, The least rights in PostgreSQL, says what spares you this at upgrades):\n` +
    [
      `grant usage on schema ${schemas} to ${role};`,
      `grant select, insert, update, delete on all tables in schema ${schemas} to ${role};`,
      `grant usage, select, update on all sequences in schema ${schemas} to ${role};`,
      `grant execute on all functions in schema ${schemas} to ${role};`,
    ].join('\n')
  )
}

/** Returns what an operator should know of rights that are missing but do not matter to what this process does first. */
export const rightsWarning = ({ role, ours, others }: MissingRights): string =>
  `the role ${role} may not read and write ${[...ours, ...others].join(', ')}: where they are Atelier's, what needs them fails. ` +
  'Grant the rights again (docs/deploying.md, The least rights in PostgreSQL)'

/** Returns a message if migrations failed because the role may not change the schema or no schema exists; null for other errors. */
export function schemaProblem(error: unknown, named = 'DATABASE_URL'): string | null {
  const why = wordsOf(error)
  if (sqlState(error) === '42501')
    return (
      `The role of ${named} may not change the schema: ${why}. Run \`npm run migrate\` with the role that owns it, or ` +
      'grant this one create on the schema (docs/deploying.md has the roles).'
    )
  if (sqlState(error) === '3F000')
    return `There is no schema to make tables in: ${why}. Have the role's search_path name one that exists, such as public.`
  return null
}

/**
 * Throws if the address leads to a connection pool that assigns its server connections to single transactions. A setting made by
 * one client is then visible to another client. Notifications, prepared statements and advisory locks work only if each client has
 * a server connection of its own.
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 }))
  const [one, other] = clients
  if (!one || !other) return
  for (const client of clients) client.on('error', () => undefined)
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const mark = randomUUID()
    await one.query(`select set_config('atelier.client', $1, false)`, [mark])
    // The open transaction occupies the server connection that both clients would share; so the first client gets another one.
    await other.query('begin')
    const seen = [await markOf(other), await markOf(one)]
    await other.query('rollback')
    if (seen[0] === mark || seen[1] !== mark)
      throw new OperatorError(
        'DATABASE_URL leads to a pool that hands out connections for single transactions (PgBouncer with ' +
          'pool_mode = transaction or statement). Listening, prepared statements and locks need connections of their own: ' +
          'set pool_mode = session for this database, or point DATABASE_URL at PostgreSQL itself.',
      )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(`select current_setting('atelier.client', true) as mark`)
  return rows[0]?.mark ?? null
}
