// In charge of quickly filling a database with a large, realistically distributed workspace. The rows are the same each time,
// except that all times are relative to the present time, and so are the ids that contain a time.
import { commonWords, rareWords } from './words.ts'

/** Runs one SQL statement; returns rows as arrays. */
export type Sql = (text: string, values?: unknown[]) => Promise<readonly (readonly unknown[])[]>

const people = 50
const products = 10
const batchRows = 25_000

/**
 * Creates people, products and `tasks` tasks; every fifth task was deleted within the retention window. The connections share the
 * work. The indexes of the tasks are dropped before the inserts and rebuilt afterwards, which is faster. The caller must update the
 * statistics.
 */
export async function fillTasks(connections: [Sql, ...Sql[]], tasks: number, tell: (what: string) => void) {
  const [sql] = connections
  const inTurns = async <Work>(works: Work[], run: (sql: Sql, work: Work) => Promise<unknown>): Promise<void> => {
    const waiting = works.values()
    await Promise.all(
      connections.map(async (connection) => {
        for (const work of waiting) await run(connection, work)
      }),
    )
  }
  await sql(peopleSql)
  await sql(productsSql)
  const indexes = await dropIndexes(sql)
  const insert = taskSql()
  const [[now] = []] = await sql('select now()::text')
  const batches = Array.from({ length: Math.ceil(tasks / batchRows) }, (_, at) => at * batchRows)
  await inTurns(batches, async (connection, from) => {
    const to = Math.min(from + batchRows, tasks)
    await connection(insert, [from + 1, to, tasks, now, commonWords])
    tell(`tasks up to ${to.toLocaleString('en')} of ${tasks.toLocaleString('en')}`)
  })
  await sql(`select setval('task_number', $1)`, [tasks])
  tell('indexes')
  await inTurns(indexes, async (connection, { definition, settings }) => {
    await connection(definition)
    for (const setting of settings) await connection(setting)
  })
}

/** The statements that create an index again: its definition, and settings that the definition does not contain. */
type Index = { definition: string; settings: string[] }

/**
 * Drops the indexes of `tasks` that no constraint needs. Returns them with the search indexes first, which take longest to rebuild.
 */
async function dropIndexes(sql: Sql): Promise<Index[]> {
  const rows = await sql(`
    select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), (
      select a.attnum from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget = 0
    )
    from pg_index i
    where i.indrelid = 'tasks'::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`)
  for (const [name] of rows) await sql(`drop index ${name}`)
  const indexes = rows.map(([name, definition, column]) => ({
    definition: String(definition),
    settings: column === null ? [] : [`alter index ${name} alter column ${column} set statistics 0`],
  }))
  const isSearch = ({ definition }: Index) => definition.includes('search')
  return [...indexes.filter(isSearch), ...indexes.filter((index) => !isSearch(index))]
}

/** SQL for a version 7 id: the time part comes from `at`, the rest from a number. */
const idAt = (at: string, number: string): string => `(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${number}::text), 1, 3)
  || '8' || substr(md5(${number}::text), 4, 3) || substr(md5(${number}::text), 7, 12))::uuid`

const longAgo = `timestamptz '2020-01-01 00:00:00Z'`

const peopleSql = `
  insert into users (id, name, email, role)
  select ${idAt(longAgo, 'i')}, 'Person ' || i, 'person' || i || '@example.com', 'writer'
  from generate_series(1, ${people}) as i`

const productsSql = `
  insert into products (id, name, code)
  select ${idAt(longAgo, '(1000 + i)')}, 'Product ' || i, 'product-' || i from generate_series(1, ${products}) as i`

/** SQL for an evenly distributed integer from 0 to `below` - 1, always the same for the same row and purpose. */
const draw = (purpose: number, below: number | string): string =>
  `((hashint8extended(i, ${purpose}) & 1073741823) % ${below})`
/**
 * SQL like that of `draw`, but low integers are far more frequent, since some people, words and products are used more than others.
 */
const drawLow = (purpose: number, below: number | string): string =>
  `floor(power((hashint8extended(i, ${purpose}) & 1048575) / 1048576.0, 2) * ${below})`
const oneOf = (purpose: number, values: string): string => {
  const list = values.split(' ')
  return `(array[${list.map((value) => `'${value}'`).join(',')}])[1 + ${draw(purpose, list.length)}]`
}
const someOf = (purpose: number, percent: number, value: string): string =>
  `case when ${draw(purpose, 100)} < ${percent} then ${value} end`

const word = (purpose: number): string => `($5::text[])[1 + ${drawLow(purpose, 'cardinality($5::text[])')}::integer]`
const rareOr = (otherwise: string): string =>
  `case ${rareWords.map(({ word, oneIn }) => `when i % ${oneIn} = 7 then '${word}'`).join(' ')} else ${otherwise} end`

/** SQL for a status: half of the tasks are done or archived, a tenth is in progress, and the others are spread over the rest. */
const status = `(case
  when ${draw(1, 100)} < 20 then 'backlog' when ${draw(1, 100)} < 30 then 'ready_for_production'
  when ${draw(1, 100)} < 40 then 'in_progress' when ${draw(1, 100)} < 45 then 'tech_check'
  when ${draw(1, 100)} < 50 then 'creative_check' when ${draw(1, 100)} < 85 then 'done' else 'archived' end)::task_status`

/**
 * The columns of `tasks` and SQL for their values. `i` is the number of the row and `at` its creation time; `name`, `made` (the
 * generated name) and the other names are columns of the subqueries in `taskSql`.
 */
const columns: Record<string, string> = {
  id: idAt('at', 'i'),
  number: 'i',
  name: 'name',
  generated_name: 'made',
  search_text: `lower(name || E'\\n' || made)`,
  status,
  test_status: `${oneOf(2, 'not_tested not_tested in_test tested paused')}::test_status`,
  task_type: oneOf(3, 'new_concept iteration variation hook_test localisation resize'),
  work_stream: someOf(4, 80, oneOf(5, 'performance brand ugc motion static')),
  product_id: someOf(6, 95, idAt(longAgo, `(1000 + 1 + ${drawLow(7, products)}::integer)`)),
  media_type: 'media_type',
  creation_complexity: someOf(8, 80, `1 + ${draw(9, 5)}`),
  execution_complexity: someOf(10, 80, `1 + ${draw(11, 5)}`),
  priority: someOf(12, 70, `1 + ${drawLow(13, 5)}`),
  count: someOf(14, 75, `1 + ${draw(15, 6)}`),
  assignee_id: someOf(16, 85, idAt(longAgo, `(1 + ${drawLow(17, people)}::integer)`)),
  task_owner_id: someOf(18, 95, idAt(longAgo, `(1 + ${drawLow(19, people)}::integer)`)),
  // Deadlines are whole days, so thousands of tasks share a deadline.
  deadline_at: someOf(20, 60, `date_trunc('day', at) + make_interval(days => ${draw(21, 30)}::integer)`),
  started_at: someOf(22, 70, `at + make_interval(hours => ${draw(23, 72)}::integer)`),
  completed_at: `case when ${status} in ('done', 'archived') then at + make_interval(secs => ${draw(24, 864_000)}) end`,
  launched_at: someOf(25, 30, `at + make_interval(secs => ${draw(26, 1_728_000)})`),
  ad_id: someOf(27, 30, `(120200000000000000 + i)::text`),
  status_entered_at: 'at',
  resolution: oneOf(28, '1080x1080 1080x1920 1080x1350 1920x1080'),
  geo: 'geo',
  language: 'language',
  varied_elements: `array['hook']`,
  hypothesis: `'A shorter opening keeps more viewers to the offer, because ' || name`,
  subject: word(40),
  topic: word(41),
  audience: `'People who want ' || ${word(42)}`,
  awareness_stage: someOf(29, 80, oneOf(30, 'unaware problem_aware solution_aware product_aware most_aware')),
  messaging_angle: someOf(31, 80, oneOf(32, 'problem_solution transformation convenience offer comparison')),
  hook_type: someOf(33, 80, oneOf(34, 'bold_claim statistic storytelling how_to pov')),
  ad_format: 'ad_format',
  notes: `repeat(name || '. ', 4)`,
  traffic_flow: someOf(35, 50, oneOf(36, 'web app')),
  automation_state: someOf(37, 10, oneOf(38, 'pending running succeeded failed')),
  comment_count: `${drawLow(39, 9)}`,
  created_at: 'at',
  updated_at: `at + make_interval(secs => ${draw(43, 1_728_000)})`,
  deleted_at: `case when i % 5 = 3 then deleted_at end`,
  delete_id: `case when i % 5 = 3 then ${idAt('deleted_at', '(-i)')} end`,
}

/**
 * SQL that inserts tasks. Its values $1 to $5 are the first and the last row, the number of all rows, the present time, and the
 * words for names. Three tasks at a time share a creation time, and four deleted tasks share a deletion time.
 */
const taskSql = (): string => `
  with drawn as materialized (
    select i,
      date_trunc('milliseconds', $4::timestamptz
        - make_interval(secs => 63072000.0 * ($3::bigint - i / 3 * 3) / $3::bigint)) as at,
      date_trunc('milliseconds', $4::timestamptz - make_interval(
        secs => 2505600.0 * (hashint8extended(i / 20, 50) & 1073741823) / 1073741824)) as deleted_at,
      case when i % 100 = 42 then 'Untitled creative' else initcap(
        ${word(51)} || ' ' || ${word(52)} || ' ' || ${word(53)} || ' ' || ${word(54)} || ' ' || ${rareOr(word(55))}
      ) end as name,
      ${oneOf(56, 'video image carousel')} as media_type,
      ${oneOf(57, 'ugc testimonial demo unboxing listicle')} as ad_format,
      ${oneOf(58, 'en de fr es pl')} as language,
      ${oneOf(59, 'US DE FR ES PL GB')} as geo
    from generate_series($1::bigint, $2::bigint) as i
  ),
  named as materialized (
    select *, 'T' || i || '_' || replace(lower(name), ' ', '-') || '_' || media_type || '_' || ad_format || '_'
      || language || '_' || lower(geo) as made
    from drawn
  )
  insert into tasks (${Object.keys(columns).join(', ')})
  select ${Object.values(columns).join(', ')} from named order by i`

/**
 * Adds a hundred creatives to each of `packs` tasks that are not deleted, for measuring how tasks are deleted and restored together
 * with their creatives. Returns the ids of these tasks.
 */
export async function fillPacks(sql: Sql, packs: number): Promise<string[]> {
  const rows = await sql(
    `select id from tasks where deleted_at is null and status = 'done' and number % 7 = 1 order by id limit $1`,
    [packs],
  )
  const ids = rows.map(([id]) => String(id))
  await sql(
    `insert into creatives (id, task_id, name, variation_num, completed, done, in_work_at, rolled_up_at, locale, geo,
      subject, topic, audience, awareness_stage, messaging_angle, hook_type, ad_format, traffic_flow, created_at)
    select ${idAt('t.created_at', '(t.number::bigint * 1000 + k)')}, t.id, t.generated_name || '_V1_' || k, 1,
      k % 2 = 0, k % 2 = 0, t.created_at, now_ms(), t.language, t.geo, t.subject, t.topic, t.audience,
      t.awareness_stage, t.messaging_angle, t.hook_type, t.ad_format, t.traffic_flow, t.created_at
    from tasks t, generate_series(1, 100) as k
    where t.id = any($1::uuid[])`,
    [ids],
  )
  await sql(
    `update tasks t set count = 100, creatives_total = 100, creatives_done = 50,
      planned_creative_names = array(select name from creatives c where c.task_id = t.id order by name collate "C"),
      planned_creatives_done = array(
        select name from creatives c where c.task_id = t.id and c.done order by name collate "C")
    where t.id = any($1::uuid[])`,
    [ids],
  )
  return ids
}
