// In charge of the records that tests start from: created through the API, as clients create them.
import type { VocabularyName } from '@atelier/contract/vocabulary.ts'
import { expect } from 'vitest'
import type { Ask, Body, Reply, Service } from './harness.ts'

type Members = Record<string, unknown>

/** Functions that create records on a service; each returns the record. Members that a test does not set get a suitable value. */
export function makers(service: Service) {
  const made = async (asked: Promise<Reply>): Promise<Body> => {
    const { status, text, data } = await asked
    expect(status, text).toBe(200)
    return data
  }
  const task = (members: Members = {}, options?: Ask): Promise<Body> =>
    made(service.post('/api/v1/tasks', { name: 'Glow serum', ...members }, options))
  const creative = (taskId: string, members: Members = {}, options?: Ask): Promise<Body> =>
    made(service.post(`/api/v1/tasks/${taskId}/creatives`, members, options))
  return {
    task,
    creative,
    comment: (taskId: string, text = 'The second hook reads better.', options?: Ask): Promise<Body> =>
      made(service.post(`/api/v1/tasks/${taskId}/comments`, { text }, options)),
    /** Uploads a file; returns its digest. */
    file: async (bytes: string | Buffer = 'the film', mediaType = 'video/mp4'): Promise<string> => {
      const options = { raw: bytes, headers: { 'content-type': mediaType } }
      return (await made(service.ask('POST', '/api/v1/files', options))).digest
    },
    product: (name: string): Promise<Body> => made(service.post('/api/v1/products', { name })),
    /** Creates a task with a creative for each of these names. */
    async taskWith(names: readonly string[], members: Members = {}): Promise<{ task: Body; creatives: Body[] }> {
      const owner = await task(members)
      const creatives: Body[] = []
      for (const name of names) creatives.push(await creative(owner.id, { name }))
      return { task: owner, creatives }
    },
    /** Applies a patch to a task; the patch must succeed. */
    patched: (taskId: string, patch: Members): Promise<Body> => made(service.patch(`/api/v1/tasks/${taskId}`, patch)),
    deleted: (path: string): Promise<Body> => made(service.del(path)),
    restored: (path: string): Promise<Body> => made(service.post(`${path}/restore`)),
    read: (path: string): Promise<Body> => made(service.get(path)),
    /** Creates a task with every writable member different from its default, and the records that it refers to. */
    async whole(): Promise<{ body: Members; task: Body; product: Body; person: { id: string } }> {
      const product = await made(service.post('/api/v1/products', { name: `Serum ${++serial}` }))
      const person = await service.person('writer')
      const lineage = await task({ name: 'Where it came from' })
      const [origin, source] = [await creative(lineage.id), await creative(lineage.id)]
      const body = {
        ...everyPlainMember(service),
        product_id: product.id,
        assignee_id: person.id,
        task_owner_id: service.owner.id,
        origin_creative_id: origin.id,
        source_creative_ids: [source.id],
      }
      return { body, task: await task(body), product, person }
    },
  }
}

let serial = 0

/** The n-th allowed value of a vocabulary, counted from 0. */
export const allowed = (service: Service, name: VocabularyName, at = 0): string => {
  const entry = service.config.vocabulary[name][at]
  if (!entry) throw new Error(`The vocabulary ${name} has no value at ${at}.`)
  return entry.value
}

/** Every writable member of a task that refers to no other record, with a value different from its default. */
export function everyPlainMember(service: Service): Members {
  const value = (name: VocabularyName, at = 1) => allowed(service, name, at)
  const angle = {
    primary_anchor: value('PrimaryAnchor'),
    audience: 'People who "sleep" badly, {often}',
    awareness_stage: value('AwarenessStage'),
    messaging_angle: value('MessagingAngle'),
    hook_trigger: value('HookTrigger'),
    hook_type: value('HookType'),
    ad_format: value('AdFormat'),
  }
  return {
    name: 'Überglow, 夏 \\ "hooks"',
    status: 'ready_for_production',
    test_status: 'paused',
    task_type: value('TaskType'),
    work_stream: value('WorkStream'),
    media_type: value('MediaType'),
    source: value('Source'),
    creation_complexity: 3,
    execution_complexity: 5,
    priority: 2,
    deadline_at: '2027-03-04T05:06:07.089Z',
    manual_launch: true,
    launched_at: '2026-10-11T12:13:14.150Z',
    count: 2,
    resolution: value('Resolution'),
    geo: value('Geo'),
    language: value('Language'),
    varied_elements: [value('VariedElement', 2), value('VariedElement', 0)],
    var_description: 'First line\nsecond "line"',
    is_legacy: true,
    legacy_remap_list: 'a→b; c→d',
    drive_url: 'https://drive.example/folder?a=1&b=2',
    drive_folder_id: 'folder-1',
    hypothesis: 'Curiosity beats claims.',
    subject: 'Night repair',
    topic: 'Sleep',
    subtopics: ['naps', 'a, b', 'NULL', '"quoted"', '{braced}', 'back\\slash'],
    ...angle,
    notes: 'Notes',
    traffic_flow: value('TrafficFlow'),
    landing: { url: 'https://example.com', variants: [1, null, { deep: true }] },
    funnel: ['quiz', 2, false],
    cpp: 'page-7',
    variants: [
      {
        key: 'a',
        variation_num: 1,
        ...angle,
        notes: 'variant notes',
        tag_slugs: ['hook-a', 'ugc'],
        description: 'the calm one',
        completed: true,
      },
    ],
  }
}

/** The codes and locations of a 422's errors, each as one text: `missing body.name`. */
export const faults = ({ body }: Reply): string[] =>
  body.detail.map(({ type, loc }: { type: string; loc: (string | number)[] }) => `${type} ${loc.join('.')}`)

/** Status and code of an error response. */
export const refusal = ({ status, body }: Reply): [number, string] => [status, body?.code]

/** A date-time in the API's format: UTC, with milliseconds. */
export const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A well-formed id that belongs to no record. */
export const nobody = '019a0000-0000-7000-8000-000000000000'
