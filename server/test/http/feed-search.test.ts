// Facts about search in the feeds: what a term finds, at any length of the term and with every way to execute the search.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FeedRequest, readFeed, walkRows } from '../../src/features/tasks/feed/feed.ts'
import type { Database } from '../../src/platform/db.ts'
import type { ModelTask } from '../support/feed-model.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { feedPath } from '../support/paging.ts'

/** More live tasks than a search scans one by one, so that it looks up rare terms in the index; deleted tasks stay few. */
const fillers = walkRows + 200
const names = [
  ...['Ärger im Büro', 'ARGER', 'Straße', 'STRASSE 9', 'ΟΔΥΣΣΕΥΣ', 'İzmir', 'Isparta', 'ﬁnal cut', 'Ǆep'],
  ...['50%_off', '50 percent off', 'a\\b', 'snow_man', 'snowxman', '100%', '日本語', '🎬 Reel', 'e\u0301lan', 'x'],
  ...['١٢٣', 'number 77', "it's", '"both" sides', 'Zed'],
]

let service: Service
/** Name → the task numbers of the live task and of the deleted task with this name. */
const twins = new Map<string, { live: number; deleted: number }>()
beforeAll(async () => {
  service = await startService()
  await service.rows(
    `insert into tasks (id, name, generated_name, search_text)
     select gen_random_uuid(), 'Bulk', 'B', E'bulk\nb' from generate_series(1, $1::integer)`,
    [fillers],
  )
  const { task, deleted } = makers(service)
  for (const name of names) {
    const [live, gone] = [await task({ name }), await task({ name })]
    await deleted(`/api/v1/tasks/${gone.id}`)
    twins.set(name, { live: live.number, deleted: gone.number })
  }
})
afterAll(() => service.close())

const find = async (feed: 'board' | 'deleted', search: string): Promise<string[]> => {
  const { data } = await service.get(feedPath({ feed, status: null }, { search, limit: 100 }))
  expect(data.meta.total).toBe(data.tasks.length)
  return data.tasks.map(({ name }: ModelTask) => name).toSorted()
}
const both = async (search: string): Promise<string[]> => {
  const live = await find('board', search)
  expect(await find('deleted', search)).toEqual(live)
  return live
}

describe('a term finds the names it is part of', () => {
  test.for([
    ['ärger', ['Ärger im Büro']],
    ['ÄRGER IM B', ['Ärger im Büro']],
    ['arger', ['ARGER']],
    ['a\u0308rger', ['Ärger im Büro']],
    ['élan', ['e\u0301lan']],
    ['ÉLAN', ['e\u0301lan']],
    ['strasse', ['STRASSE 9', 'Straße']],
    ['STRAßE', ['STRASSE 9', 'Straße']],
    ['ß', ['STRASSE 9', 'Straße']],
    ['οδυσσευς', ['ΟΔΥΣΣΕΥΣ']],
    ['σ', ['ΟΔΥΣΣΕΥΣ']],
    ['ς', ['ΟΔΥΣΣΕΥΣ']],
    ['Σσ', ['ΟΔΥΣΣΕΥΣ']],
    ['izmir', ['İzmir']],
    ['İZM', ['İzmir']],
    ['ısparta', ['Isparta']],
    ['fin', ['ﬁnal cut']],
    ['ﬁ', ['ﬁnal cut']],
    ['ǆ', ['Ǆep']],
    ['日', ['日本語']],
    ['本語', ['日本語']],
    ['🎬', ['🎬 Reel']],
    ['🎬 r', ['🎬 Reel']],
    ["'", ["it's"]],
    ['"b', ['"both" sides']],
    ['ze', ['Zed']],
    ['zed', ['Zed']],
    ['zede', []],
    ['ez', []],
  ] as const)('%s: %j', async ([term, found]) => {
    expect(await both(term)).toEqual(found.toSorted())
  })
})

describe('wildcards are taken literally', () => {
  test.for([
    ['%', ['100%', '50%_off']],
    ['0%', ['100%', '50%_off']],
    ['50%', ['50%_off']],
    ['%_', ['50%_off']],
    ['w_m', ['snow_man']],
    ['snow_man', ['snow_man']],
    ['\\', ['a\\b']],
    ['a\\b', ['a\\b']],
    ['a\\\\b', []],
    ['\\%', []],
  ] as const)('%s: %j', async ([term, found]) => {
    expect(await both(term)).toEqual(found.toSorted())
  })
})

describe('generated names', () => {
  test('are searched like names', async () => {
    const { live } = twins.get('Zed') ?? { live: 0 }
    const { data } = await service.get(feedPath({ feed: 'board', status: null }, { search: `t${live}` }))
    expect(data.tasks.map(({ number }: ModelTask) => number)).toEqual([live])
    expect(data.tasks[0].generated_name).toMatch(new RegExp(`^T${live}`))
  })

  test('a term does not run from the end of the name into the generated name', async () => {
    const { live } = twins.get('Zed') ?? { live: 0 }
    for (const between of ['', ' ', '\n', '\r\n', '\t', '_'])
      expect(await find('board', `zed${between}t${live}`)).toEqual([])
  })
})

describe('a term of only digits', () => {
  test('is the number of a task, and nothing else', async () => {
    const { live, deleted } = twins.get('number 77') ?? { live: 0, deleted: 0 }
    expect(await find('board', String(live))).toEqual(['number 77'])
    expect(await find('board', String(deleted))).toEqual([])
    expect(await find('deleted', String(deleted))).toEqual(['number 77'])
    expect(await find('deleted', String(live))).toEqual([])
    expect(await find('board', '77')).toEqual(['Bulk'])
    expect(await find('deleted', '77')).toEqual([])
  })

  test('may have zeros before it', async () => {
    expect(await find('board', '00077')).toEqual(['Bulk'])
  })

  test('finds nothing where there is no such number, however long it is', async () => {
    for (const digits of ['0', '000', '2147483647', '2147483648', '4294967373', '9007199254740993', '9'.repeat(200)]) {
      expect(await both(digits)).toEqual([])
    }
  })

  test('is a text where it has anything but the digits 0 to 9', async () => {
    expect(await both('١٢')).toEqual(['١٢٣'])
    expect(await both('r 77')).toEqual(['number 77'])
    for (const term of ['77 ', '+77', '-77', '77.0', '7_7', '７７', '1e3', '0x4d']) {
      expect(await both(term)).toEqual([])
    }
  })

  test('is still bound by column and filter', async () => {
    const { live } = twins.get('Zed') ?? { live: 0 }
    const asked = async (status: 'backlog' | 'done', value: string) => {
      const query = { combinator: 'and', rules: [{ field: 'name', operator: '=', value }] }
      const { data } = await service.get(feedPath({ feed: 'board', status }, { search: String(live), query }))
      return data.tasks.length
    }
    expect(await asked('backlog', 'Zed')).toBe(1)
    expect(await asked('done', 'Zed')).toBe(0)
    expect(await asked('backlog', 'zed')).toBe(0)
  })
})

describe('terms at the edges', () => {
  test('an empty term is no search', async () => {
    const { data } = await service.get('/api/v1/tasks/deleted?search=')
    expect(data.meta.total).toBe(names.length)
  })

  test('blanks count', async () => {
    expect(await both('percent ')).toEqual(['50 percent off'])
    expect(await both(' percent')).toEqual(['50 percent off'])
    expect(await both('percent  off')).toEqual([])
    expect(await both('zed ')).toEqual([])
  })

  test('a name of 255 characters is a term, one character more is refused', async () => {
    expect(await both('ẞ'.repeat(255))).toEqual([])
    const { status, body } = await service.get(`/api/v1/tasks/board?search=${'x'.repeat(256)}`)
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({ type: 'string_too_long', loc: ['query', 'search'] })
  })
})

describe('how a term is found', () => {
  const asked = (search: string): FeedRequest => ({
    ...{ feed: 'board', status: null, filter: null, sort: { field: 'created_at', direction: 1 }, search },
    ...{ after: null, limit: 24, retentionSeconds: 86_400 },
  })
  const reads = async (request: FeedRequest): Promise<string[]> => {
    const texts: string[] = []
    const watched: Database = {
      ...service.database,
      read: (statement, values) => {
        texts.push(statement.text.includes('gathered') ? 'gather' : 'walk')
        return service.database.read(statement, values)
      },
    }
    await readFeed(watched, request)
    return texts
  }

  test('a common one by a walk alone, a rare one from the index, of any length', async () => {
    for (const common of ['b', 'bu', 'bul', 'bulk']) expect(await reads(asked(common))).toEqual(['walk'])
    for (const rare of ['z', 'ze', 'zed', 'no such']) expect(await reads(asked(rare))).toEqual(['walk', 'gather'])
  })

  test('whatever a small feed has, by a walk alone', async () => {
    expect(await reads({ ...asked('z'), feed: 'deleted' })).toEqual(['walk'])
    expect(await reads({ ...asked('z'), status: 'done' })).toEqual(['walk'])
    expect(await reads({ ...asked('z'), status: 'done', sort: { field: 'priority', direction: -1 } })).toEqual(['walk'])
  })

  test('without statistics on grams, which would take ANALYZE longer than all others', async () => {
    await service.rows('analyze tasks')
    expect(await service.rows(`select 1 from pg_stats where tablename = 'tasks' and attname = 'status'`)).toHaveLength(
      1,
    )
    expect(await service.rows(`select attname from pg_stats where tablename like 'tasks%search'`)).toEqual([])
  })

  test('a number by its index alone', async () => {
    expect(await reads(asked('77'))).toEqual(['gather'])
  })
})
