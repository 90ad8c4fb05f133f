// Facts about marks: what files say about how they were made, what people confirm, and which labels a task needs before its
// status can become `done`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultLabelRules } from '@atelier/contract/label-rules.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dueFilesReader } from '../../src/features/marks/reading.ts'
import { packetOf } from '../../src/nodes/images/marks.ts'
import { automations } from '../support/automations.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

const iptc = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const folder = mkdtempSync(join(tmpdir(), 'atelier-rules-'))
let service: Service
let make: ReturnType<typeof makers>

beforeAll(async () => {
  // Of the label rules, only `eu` is in force, whatever the date is today.
  const rules = defaultLabelRules.map((rule) => ({ ...rule, since: rule.id === 'eu' ? '2020-01-01' : '9999-01-01' }))
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules))
  service = await startService({ ATELIER_LABEL_RULES: join(folder, 'rules.json') })
  make = makers(service)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

let serial = 0
/** Uploads a file that names this source type, or none if null. */
const marked = (term: string | null) => make.file(`film ${serial++} ${term === null ? '' : iptc + term}`)
const marksOf = (creative: Body): Promise<Body> => make.read(`/api/v1/creatives/${creative.id}/marks`)
const confirm = (creative: Body, said: object) => service.patch(`/api/v1/creatives/${creative.id}/marks`, said)
const toDone = (task: Body) => service.patch(`/api/v1/tasks/${task.id}`, { status: 'done' })
const waive = (task: Body, reason: string, token?: string) =>
  service.post(`/api/v1/tasks/${task.id}/label-waiver`, { reason }, token ? { token } : {})

/** A PNG that a model made, with a compressed XMP packet that says so. Each has other bytes. */
const packedPng = () =>
  sharp({ create: { width: 8, height: 8 + serial++, channels: 3, background: '#24508c' } })
    .withXmp(packetOf('trainedAlgorithmicMedia'))
    .png()
    .toBuffer()

/** A task in this market with one creative, whose file names this source type. */
async function cardIn(geo: string | null, term: string | null = 'trainedAlgorithmicMedia') {
  const task = await make.task({ geo })
  const creative = await make.creative(task.id, { file: await marked(term) })
  return { task, creative }
}

describe('of an upload', () => {
  test.for([
    ['trainedAlgorithmicMedia', 'generated'],
    ['compositeWithTrainedAlgorithmicMedia', 'assisted'],
    ['digitalCapture', 'none'],
    [null, null],
  ] as const)('one that says %s is %s', async ([term, ai]) => {
    const { creative } = await cardIn(null, term)
    const notSaid = { value: null, by: null, at: null }
    expect(await marksOf(creative)).toMatchObject({
      ...{ ai, source_type: term && iptc + term, file: creative.file, demands: [] },
      ...{ synthetic_performer: notSaid, deepfake: notSaid, label: { drawn: [], confirmed: notSaid } },
    })
  })

  test('a PNG is understood whose packet is compressed', async () => {
    const bytes = await packedPng()
    expect(bytes.includes('trainedAlgorithmicMedia')).toBe(false)
    const task = await make.task()
    const creative = await make.creative(task.id, { file: await make.file(bytes, 'image/png') })
    expect((await marksOf(creative)).ai).toBe('generated')
  })

  test('files whose bytes are gone do not keep the job from the others', async () => {
    const { database, files } = service.app.services
    const gone = `digest like '${'0'.repeat(60)}%'`
    await service.rows(`insert into files (digest, size, media_type)
      select lpad(n::text, 64, '0'), 1, 'video/mp4' from generate_series(1, 50) n`)
    await service.rows(`insert into file_marks (digest) select digest from files where ${gone}`)
    const { id } = await make.task()
    const creative = await make.creative(id)
    const file = await marked('trainedAlgorithmicMedia')
    await service.rows('update creatives set file = $1 where id = $2', [file, creative.id])
    const reading = { database, files }
    const job = dueFilesReader(reading)
    const { signal } = new AbortController()
    await expect(job(signal)).rejects.toThrow()
    await job(signal)
    expect((await marksOf(creative)).ai).toBe('generated')
    await service.rows(`delete from files where ${gone}`)
  })

  test('files that an earlier version put there are read by the job', async () => {
    const { id } = await make.task()
    const file = await marked('trainedAlgorithmicMedia')
    const creative = await make.creative(id)
    await service.rows('update creatives set file = $1 where id = $2', [file, creative.id])
    expect((await marksOf(creative)).ai).toBeNull()
    const { database, files } = service.app.services
    const reading = { database, files }
    await dueFilesReader(reading)(new AbortController().signal)
    expect((await marksOf(creative)).ai).toBe('generated')
  })
})

describe('what a person confirms', () => {
  test('stands with who and when, can be taken back, and is told in the activity', async () => {
    const { task, creative } = await cardIn(null)
    const said = await confirm(creative, { deepfake: true, synthetic_performer: false })
    expect(said.data).toMatchObject({
      deepfake: { value: true, by: { user_id: service.owner.id, name: 'Owner' }, at: expect.stringMatching(utc) },
      synthetic_performer: { value: false },
    })
    expect((await confirm(creative, { deepfake: null })).data).toMatchObject({
      deepfake: { value: null, by: null, at: null },
      synthetic_performer: { value: false },
    })
    await confirm(creative, { synthetic_performer: false })
    const { items } = await make.read(`/api/v1/tasks/${task.id}/activity`)
    const told = items.filter(({ kind }: Body) => kind === 'creative_changed')
    expect(told.map(({ subject_id, changes }: Body) => [subject_id, changes])).toEqual([
      [creative.id, { deepfake: { from: true, to: null } }],
      [creative.id, { deepfake: { from: null, to: true }, synthetic_performer: { from: null, to: false } }],
    ])
  })

  test('is about the file there is: with another it does not count, and with that one it counts again', async () => {
    const { creative } = await cardIn(null)
    await confirm(creative, { deepfake: true })
    const put = (file: string) => service.patch(`/api/v1/creatives/${creative.id}`, { file })
    await put(await marked(null))
    expect((await marksOf(creative)).deepfake.value).toBeNull()
    await put(creative.file)
    expect((await marksOf(creative)).deepfake.value).toBe(true)
  })

  test('needs a file, a live creative, and one that is there', async () => {
    const task = await make.task()
    const empty = await make.creative(task.id)
    expect(faults(await confirm(empty, { deepfake: true }))).toEqual(['value_error body'])
    expect(faults(await confirm(empty, { deepfake: 'maybe' }))).toEqual(['bool_type body.deepfake'])
    await make.deleted(`/api/v1/creatives/${empty.id}`)
    expect(refusal(await confirm(empty, { deepfake: true }))).toEqual([409, 'creative_deleted'])
    await make.deleted(`/api/v1/tasks/${task.id}`)
    expect(refusal(await waive(task, 'No'))).toEqual([409, 'task_deleted'])
    expect(refusal(await confirm({ id: nobody }, { deepfake: true }))).toEqual([404, 'not_found'])
  })
})

describe('a task whose market demands a label', () => {
  test('is not done while a generated creative lacks it, in a sentence that names it, and is once somebody says so', async () => {
    const { task, creative } = await cardIn('DE')
    const refused = await toDone(task)
    expect(refusal(refused)).toEqual([409, 'label_missing'])
    expect(refused.body.detail).toMatch(
      new RegExp(`“${creative.name}” needs the label “AI-generated” \\(European Union\\)`),
    )
    expect(refused.body.creatives).toEqual([
      expect.objectContaining({ creative_id: creative.id, rule: 'eu', because: 'not_asked' }),
    ])
    expect(await make.read(`/api/v1/tasks/${task.id}`)).toMatchObject({ status: 'backlog', completed_at: null })
    await confirm(creative, { deepfake: true })
    expect(refusal(await toDone(task))).toEqual([409, 'label_missing'])
    await confirm(creative, { label: true })
    expect((await marksOf(creative)).demands).toMatchObject([{ because: 'confirmed', met: 'confirmed' }])
    expect((await toDone(task)).data.status).toBe('done')
  })

  test('is answered for the file that was looked at alone', async () => {
    const { creative } = await cardIn('DE')
    const { file } = await marksOf(creative)
    expect((await confirm(creative, { label: false, file })).data.label.confirmed.value).toBe(false)
    expect((await service.patch(`/api/v1/creatives/${creative.id}`, { file: await marked(null) })).status).toBe(200)
    expect(refusal(await confirm(creative, { label: true, file }))).toEqual([409, 'version_not_current'])
    expect((await marksOf(creative)).label.confirmed).toEqual({ value: null, by: null, at: null })
  })

  test('is done where a person says that it shows none, and where no model made it', async () => {
    const { task, creative } = await cardIn('FR')
    await confirm(creative, { deepfake: false })
    expect((await toDone(task)).status).toBe(200)
    for (const term of [null, 'digitalCapture', 'algorithmicMedia']) {
      expect((await toDone((await cardIn('FR', term)).task)).status, `${term}`).toBe(200)
    }
  })

  test('goes anywhere but to done; other markets, none, and a rule of later demand nothing', async () => {
    const { task } = await cardIn('DE')
    for (const status of ['creative_check', 'archived']) {
      expect((await service.patch(`/api/v1/tasks/${task.id}`, { status })).status).toBe(200)
    }
    for (const geo of ['JP', 'US', null]) expect((await toDone((await cardIn(geo)).task)).status, `${geo}`).toBe(200)
  })

  test('the market is the one it moves with; deleted creatives and those without a file do not count', async () => {
    const { task, creative } = await cardIn('JP')
    const path = `/api/v1/tasks/${task.id}`
    expect(refusal(await service.patch(path, { status: 'done', geo: 'DE' }))).toEqual([409, 'label_missing'])
    await make.patched(task.id, { geo: 'DE' })
    await make.creative(task.id)
    await make.deleted(`/api/v1/creatives/${creative.id}`)
    expect((await toDone(task)).status).toBe(200)
    const there = await cardIn('DE')
    expect((await service.patch(`/api/v1/tasks/${there.task.id}`, { status: 'done', geo: 'JP' })).status).toBe(200)
  })

  test('in bulk it stays, with its reason, and the others move', async () => {
    const [lacking, fine] = [await cardIn('DE'), await cardIn('DE', null)]
    const ids = [lacking.task.id.toUpperCase(), fine.task.id]
    const { data } = await service.post('/api/v1/tasks/bulk', { ids, patch: { status: 'done' } })
    expect(data.updated.map(({ id }: Body) => id)).toEqual([fine.task.id])
    expect(data.failed).toEqual([
      { id: ids[0], code: 'label_missing', detail: expect.stringContaining(lacking.creative.name) },
    ])
  })

  test('an admin lets it pass with a reason that stands in the activity; a writer may not', async () => {
    const { task, creative } = await cardIn('DE')
    const writer = await service.person('writer')
    expect(refusal(await waive(task, 'Please', writer.token))).toEqual([403, 'insufficient_scope'])
    expect(faults(await waive(task, ' '))).toEqual(['value_error body.reason'])
    const waived = await waive(task, 'It stands in the caption. ')
    expect(waived.data.map(({ creative_id }: Body) => creative_id)).toEqual([creative.id])
    expect(waived.data[0].demands).toMatchObject([
      { met: 'waived', waiver: { reason: 'It stands in the caption.', by: { user_id: service.owner.id } } },
    ])
    expect((await waive(task, 'Again')).data).toEqual([])
    const { items } = await make.read(`/api/v1/tasks/${task.id}/activity`)
    expect(items[0].changes).toEqual({
      label_waived: { from: null, to: 'European Union: It stands in the caption.' },
    })
    expect((await service.patch(`/api/v1/tasks/${task.id}`, { status: 'done' }, { token: writer.token })).status).toBe(
      200,
    )
    await make.patched(task.id, { status: 'in_progress' })
    await service.patch(`/api/v1/creatives/${creative.id}`, { file: await marked('trainedAlgorithmicMedia') })
    expect(refusal(await toDone(task))).toEqual([409, 'label_missing'])
  })

  test('an automation puts the files on its card, leaves it where it is, and says why', async () => {
    const on = automations(service)
    await service.app.worker.start()
    service.app.automations.start()
    const digest = await marked('trainedAlgorithmicMedia')
    const { size } = (await service.rows('select size from files where digest = $1', [digest]))[0]
    const file = { digest, media_type: 'video/mp4', size: Number(size), name: null }
    const given = definitionOf({ picture: { type: 'input.file', params: { file } } })
    await on.add('Generated', given, { to_status: 'done' })
    const { id } = await on.task('Generated', { geo: 'DE' })
    await on.enter(id)
    const ended = await on.untilState(id, 'failed')
    expect(ended.status).toBe('ready_for_production')
    expect(ended.automation.error).toMatch(
      /^The files of “On Generated” are on the card, but the task was not moved\. .*“AI-generated”/,
    )
    const [creative] = await on.creativesOf(id)
    expect((await marksOf(creative)).ai).toBe('generated')
    await confirm(creative, { deepfake: false })
    expect((await toDone({ id })).data.status).toBe('done')
  })
})

test('the marks of a task come in pages, by name, as its creatives do', async () => {
  const { task } = await make.taskWith(['c-marks', 'a-marks', 'b-marks'])
  const first = await make.read(`/api/v1/tasks/${task.id}/marks?limit=2`)
  const { next_cursor } = first.meta
  const second = await make.read(`/api/v1/tasks/${task.id}/marks?cursor=${encodeURIComponent(next_cursor)}`)
  expect([...first.items, ...second.items].map(({ name }: Body) => name)).toEqual(['a-marks', 'b-marks', 'c-marks'])
})
