// Facts about this version on the filled database of each release, as that release's service left it when it was killed: every
// record reads as before, runs go on, deletes can be restored, and runs can go back in their histories.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMigrated, migrate } from '../../src/platform/migrate.ts'
import { type Migration, readMigrations } from '../../src/platform/migration-files.ts'
import { filledVersions, openFilled, readFilled } from '../support/filled.ts'
import { providerSettings } from '../support/filling/provider.ts'
import { type Body, rowsOf, type Service, startServiceOn } from '../support/harness.ts'
import { readRun, runThrough, untilStatus } from '../support/runs.ts'

const versions = await filledVersions()

test('there is a filled database of the first version', () => {
  expect(versions).toContain('0.1.0')
})

// The provider that made these databases' texts no longer listens. A run fails if it calls the provider again instead of
// using the cache.
describe.each(versions)('on a database of %s', (version) => {
  let service: Service
  let ids: Record<string, string>
  let reads: [string, unknown][]
  let missing: Migration[]
  let applied: Migration[]
  const at = (name: string): string => ids[name] ?? expect.fail(`The filled database has no ${name}.`)
  const read = async (path: string): Promise<Body> => {
    const { status, data, text } = await service.get(`/api/v1${path}`)
    expect(status, text).toBe(200)
    return data
  }
  const done = async (path: string, body?: object): Promise<Body> => {
    const { status, data, text } = await service.post(`/api/v1${path}`, body)
    expect(status, text).toBe(200)
    return data
  }

  beforeAll(async () => {
    const filled = await readFilled(version)
    ids = filled.ids
    reads = Object.entries(filled.reads)
    const { files, ...opened } = await openFilled(filled)
    missing = readMigrations().filter((mine) => !filled.migrations.some(({ number }) => number === mine.number))
    applied = await migrate(opened.database)
    const [owner] = await rowsOf(opened.database)(`select user_id as id from tokens where name = 'Owner'`)
    // The deleted records must stay restorable even years after the database was made.
    const environment = { ...providerSettings, ATELIER_FILES: files, ATELIER_RETENTION: 'P36000D' }
    service = await startServiceOn(opened, environment, { id: owner?.id, token: filled.token })
  })
  afterAll(() => service.close())

  test('the schema gets the migrations that it has not', async () => {
    expect(applied).toEqual(missing)
    expect(await isMigrated(service.database.main)).toBe(true)
  })

  test('boards, cards, graphs, runs and their histories read as they did', async () => {
    expect(reads.length).toBeGreaterThan(40)
    for (const [path, data] of reads) expect(await read(path), path).toMatchObject(Object(data))
  })

  test('a file is there, and a campaign leads to its creative', async () => {
    expect((await service.get(`/api/v1/files/${at('file')}`)).text).toBe('the film')
    const body = { ad_ids: ['23852150404470001'] }
    const { body: found } = await service.post('/api/v1/integrations/creative-tests/creatives/lookup', body)
    expect(found[0].creatives.map(({ name }: Body) => name)).toEqual(['FILM_5'])
  })

  test('creatives of earlier exports, and of takes that were used, share what their runs cost', async () => {
    const all = await service.rows(`select run_id, creative_id from exports
      union select run_id, creative_id from review_takes where state = 'used' order by 1, 2`)
    expect(all).not.toEqual([])
    expect(await service.rows('select run_id, creative_id from run_creatives order by 1, 2')).toEqual(all)
  })

  test('deleted records come back; where a name was taken meanwhile it has to be another', async () => {
    const whole = await done(`/tasks/${at('whole')}/restore`)
    expect(whole).toMatchObject({ name: 'Comes back whole', deleted_at: null })
    expect((await read(`/tasks/${at('whole')}/creatives`)).items.map(({ name }: Body) => name)).toEqual(['WHOLE'])
    const path = `/tasks/${at('deleted')}/restore`
    expect((await service.post(`/api/v1${path}`)).status).toBe(409)
    await done(`/graphs/${at('goneGraph')}/restore`)
    await done(`/runs/${at('goneRun')}/undelete`)
  })

  describe('with a worker', () => {
    beforeAll(async () => {
      await service.app.worker.start()
      service.app.automations.start()
    })

    test('a run that waited for its turn gets it', async () => {
      const run = await untilStatus(service, at('queued'), 'succeeded', 'failed')
      expect(run).toMatchObject({ status: 'succeeded', generation: 1 })
    })

    test('a run that was under way goes on; what was paid stays paid, what may have been is not asked for again', async () => {
      const run = await untilStatus(service, at('running'), 'succeeded', 'failed')
      expect(run).toMatchObject({ status: 'failed', generation: 1, credits_total: 6 * 3 })
      expect(run.nodes.picture).toMatchObject({ status: 'succeeded', credits_consumed: 6 * 3 })
      expect(run.nodes.held.error).toMatch(/^outcome_unknown/)
    })

    test('a parked run is answered, and goes to its end', async () => {
      await done(`/runs/${at('parked')}/answers`, { node_id: 'pick', answer: { selected: [0] } })
      const run = await untilStatus(service, at('parked'), 'succeeded', 'failed')
      expect(run.status).toBe('succeeded')
    })

    test('an automation that waits for an answer ends on its card', async () => {
      const { items } = await read(`/runs?task_id=${at('automated')}`)
      await done(`/runs/${items[0].id}/answers`, { node_id: 'pick', answer: { selected: [1] } })
      await expect
        .poll(() => read(`/tasks/${at('automated')}`))
        .toMatchObject({ status: 'tech_check', automation: { state: 'succeeded' } })
      expect((await read(`/tasks/${at('automated')}/creatives`)).items).toHaveLength(1)
    })

    test.each(['succeeded', 'rerolled', 'exported'])('the run “%s”, started again, pays nothing', async (name) => {
      const before = await readRun(service, at(name))
      const again = await runThrough(service, at(name))
      const credits_total = before.exported_at === null ? before.credits_total : 0 // starting an exported run forks it
      expect(again).toMatchObject({ status: 'succeeded', credits_total })
      expect(outputsOf(again)).toEqual(outputsOf(before))
    })

    test('a run goes back to an earlier checkpoint, and forward again, without paying', async () => {
      const path = `/runs/${at('rerolled')}`
      const now = outputsOf(await read(path))
      const { items } = await read(`${path}/history`)
      const rests = items.filter(({ kind }: Body) => kind === 'rest')
      const then = outputsOf(await done(`${path}/history/restore`, { at: rests.at(-1).at }))
      expect(then).not.toEqual(now)
      expect(outputsOf(await runThrough(service, at('rerolled')))).toEqual(then)
      expect(outputsOf(await done(`${path}/history/restore`, { at: rests[0].at }))).toEqual(now)
    })
  })
})

const outputsOf = (run: Body): unknown =>
  Object.fromEntries(Object.entries<Body>(run.nodes).map(([id, { outputs }]) => [id, outputs]))
