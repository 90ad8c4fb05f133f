// Facts about content credentials on exported files: what they claim, that they are valid, and that the provenance which the API
// returns says the same.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPicture, signPicture } from '../../src/nodes/images/sign.ts'
import { seeded } from '../../src/nodes/seeded.ts'
import { certificatesFrom } from '../../src/platform/certificates.ts'
import { automations } from '../support/automations.ts'
import { needExiftool, needSigning } from '../support/credentials.ts'
import { definitionOf } from '../support/definitions.ts'
import { ads, cropped, exported, generated, iptc, picture, resized, signing } from '../support/exporting.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'

let service: Service
let close: () => Promise<void>
beforeAll(async () => {
  const started = await signing()
  service = started.service
  close = started.close
})
afterAll(() => close())

describe('an exported file', () => {
  beforeEach(needSigning)

  test('a generated picture, cut and resized, is trusted, and says model, prompt digest and edits; provenance agrees', async () => {
    const definition = definitionOf(
      { picture: generated, cut: cropped, small: resized },
      'picture.image > cut.image',
      'cut.image > small.image',
    )
    const { checked, provenance, bytes, run } = await exported(service, definition, { node_id: 'small', port: 'image' })
    expect([checked.state, checked.manifests]).toEqual(['Trusted', 1])
    const said = JSON.stringify(checked.active)
    expect(said).toContain(`"digitalSourceType":"${iptc}trainedAlgorithmicMedia"`)
    expect(said).toMatch(/"softwareAgent":\{"name":"painter"\}.*c2pa\.cropped.*c2pa\.resized/)
    expect(said).toContain(createHash('sha256').update('A flask on a rock').digest('hex'))
    expect(said).not.toContain('on a rock')
    expect(said).toContain(run.id)
    expect(provenance).toMatchObject({
      ...{ ai: 'generated', source_type: `${iptc}trainedAlgorithmicMedia`, unsigned_because: null },
      signed_by: 'Atelier (its own certificate)',
    })
    expect((await sharp(bytes).metadata()).xmpAsString).toContain(`${iptc}trainedAlgorithmicMedia<`)
  })

  test('the same export again is the same creative with the same file, and so are two at once', async () => {
    const definition = definitionOf({ picture: generated, small: resized }, 'picture.image > small.image')
    const { run, task, creative } = await exported(service, definition, { node_id: 'small', port: 'image' })
    const again = () =>
      service.post(`/api/v1/runs/${run.id}/export`, { outputs: [{ node_id: 'small', port: 'image' }] })
    const signatures = async () => (await service.rows('select count(*)::integer as files from files'))[0].files
    const before = await signatures()
    expect((await Promise.all([again(), again()])).map(({ status }) => status)).toEqual([200, 200])
    expect(await signatures(), 'a repeat signs nothing').toBe(before)
    const both = () => service.post(`/api/v1/runs/${run.id}/export`, { outputs: [{ node_id: 'picture' }] })
    expect((await Promise.all([both(), both()])).map(({ status }) => status)).toEqual([200, 200])
    const creatives = await automations(service).creativesOf(task.id)
    expect(creatives).toHaveLength(2)
    expect(creatives.find(({ id }: Body) => id === creative.id).file).toBe(creative.file)
  })

  test('what is edited run after run keeps the credentials of every step: four of them', async () => {
    let { creative, checked } = await exported(
      service,
      definitionOf({ picture: generated }),
      { node_id: 'picture' },
      'image/png',
    )
    expect(checked).toMatchObject({ state: 'Trusted', manifests: 1 })
    const sizes = ['900x900', '700x700', '500x500']
    for (const [at, size] of sizes.entries()) {
      const { bytes } = await service.get(`/api/v1/files/${creative.file}`)
      const media_type = at === 0 ? 'image/png' : 'image/jpeg'
      const file = { digest: creative.file, media_type, size: bytes.length, name: 'before' }
      const definition = definitionOf(
        {
          given: { type: 'input.file', params: { file } },
          small: { type: 'image.resize', params: { placements: [size] } },
        },
        'given.file > small.image',
      )
      const next = await exported(service, definition, { node_id: 'small', port: 'image' })
      expect(next.checked).toMatchObject({ state: 'Trusted', manifests: at + 2 })
      expect(next.provenance.ai).toBe('generated')
      creative = next.creative
    }
  })

  test('a layout says that a part of it was generated, and keeps the credentials of its picture', async () => {
    const first = await exported(service, definitionOf({ picture: generated }), { node_id: 'picture' }, 'image/png')
    const file = { digest: first.creative.file, media_type: 'image/png', size: first.bytes.length, name: 'photo.png' }
    const definition = definitionOf(
      { given: { type: 'input.file', params: { file } }, cut: cropped, ads: { ...ads, inputs: { headline: 'Cool' } } },
      'given.file > cut.image',
      'cut.image > ads.image',
    )
    const { checked, provenance } = await exported(service, definition, { node_id: 'ads', port: 'image' }, 'image/png')
    expect(checked).toMatchObject({ state: 'Trusted', manifests: 2 })
    expect(JSON.stringify(checked.active)).toMatch(/c2pa\.created.*compositeWithTrainedAlgorithmicMedia.*c2pa\.placed/)
    expect(provenance).toMatchObject({ ai: 'assisted', source_type: `${iptc}compositeWithTrainedAlgorithmicMedia` })
  })

  test('an ad for a market that demands a label has it drawn, provenance says so, and its task can be done', async () => {
    const definition = definitionOf(
      { fields: { type: 'task.fields' }, ads: { ...ads, inputs: { headline: 'Cool' } }, picture: generated },
      'fields.geo > ads.market',
      'fields.language > ads.language',
      'picture.image > ads.image',
    )
    const make = makers(service)
    const task = await make.task({ geo: 'DE', language: 'de-DE' })
    const run = await runThrough(
      service,
      (await makeRun(service, definition, { task_id: task.id, pinned_task_id: task.id })).id,
    )
    expect(
      (await service.post(`/api/v1/runs/${run.id}/export`, { outputs: [{ node_id: 'ads', port: 'image' }] })).status,
    ).toBe(200)
    const [creative] = await automations(service).creativesOf(task.id)
    expect((await make.read(`/api/v1/creatives/${creative.id}/provenance`)).labels).toEqual(['eu'])
    expect(await make.read(`/api/v1/creatives/${creative.id}/marks`)).toMatchObject({
      ai: 'assisted',
      demands: [{ rule: 'eu', words: 'KI-generiert', because: 'not_asked', met: 'drawn' }],
    })
    expect((await make.patched(task.id, { status: 'done' })).status).toBe('done')
  })

  test('words of a model make an ad assisted; without any it is not', async () => {
    const words = { type: 'llm.chat', params: { prompt: 'A headline' } }
    const written = definitionOf({ words, ads }, 'words.text > ads.headline')
    const plain = definitionOf({ ads: { ...ads, inputs: { headline: 'Cool' } } })
    const output = { node_id: 'ads', port: 'image' }
    const assisted = await exported(service, written, output, 'image/png')
    expect([assisted.provenance.ai, assisted.checked.state]).toEqual(['assisted', 'Trusted'])
    const none = await exported(service, plain, output, 'image/png')
    expect(none.provenance).toMatchObject({ ai: 'none', source_type: null })
    expect(JSON.stringify(none.checked.active)).toContain(`${iptc}digitalCreation`)
  })

  test('a file with a budget is exported unsigned where credentials would pass it, and signed where room is kept', async () => {
    const small = (params: object) =>
      definitionOf({ picture: generated, small: { type: 'image.convert', params } }, 'picture.image > small.image')
    const output = { node_id: 'small', port: 'image' }
    const tight = await exported(service, small({ budget_kb: 15 }), output)
    expect(tight.bytes.length).toBeLessThanOrEqual(15_000)
    expect(tight.provenance).toMatchObject({
      signed_by: null,
      unsigned_because: expect.stringMatching(/its budget is 15 kB/),
    })
    const roomy = await exported(service, small({ budget_kb: 60, reserve_kb: 20 }), output)
    expect(roomy.bytes.length).toBeLessThanOrEqual(60_000)
    expect(roomy.checked.state).toBe('Trusted')
  })

  test('a file that a run only passes on leaves as it came', async () => {
    const { data: file } = await service.ask('POST', '/api/v1/files', {
      raw: picture,
      headers: { 'content-type': 'image/png' },
    })
    const given = { type: 'input.file', params: { file: { ...file, name: 'mine.png' } } }
    const { creative, provenance, checked } = await exported(
      service,
      definitionOf({ given }),
      { node_id: 'given', port: 'file' },
      'image/png',
    )
    expect(creative.file).toBe(file.digest)
    expect(provenance).toMatchObject({
      ai: 'none',
      signed_by: null,
      unsigned_because: 'The run passed it on as it came.',
    })
    expect(checked.state).toBeNull()
  })

  const described = promisify(execFile)
  const folder = mkdtempSync(join(tmpdir(), 'atelier-exported-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  describe('where exiftool is there', () => {
    beforeEach(needExiftool)

    test('exiftool reads the source type of exported files, in each format', async () => {
      for (const format of ['png', 'jpeg', 'webp', 'avif']) {
        const small = { type: 'image.convert', params: { format } }
        const definition = definitionOf({ picture: generated, small }, 'picture.image > small.image')
        const { bytes } = await exported(service, definition, { node_id: 'small', port: 'image' }, `image/${format}`)
        const file = join(folder, `exported.${format}`)
        writeFileSync(file, bytes)
        const { stdout } = await described('exiftool', ['-s3', '-XMP-iptcExt:DigitalSourceType', file])
        expect(stdout.trim(), format).toBe(`${iptc}trainedAlgorithmicMedia`)
      }
    })
  })

  test('a change of any of a hundred bytes of an exported picture is found', async () => {
    const { bytes } = await exported(service, definitionOf({ picture: generated }), { node_id: 'picture' }, 'image/png')
    const root = service.app.credentials.signer?.root ?? ''
    const start = bytes.indexOf('caBX') - 4
    const end = start + 12 + bytes.readUInt32BE(start)
    const chance = seeded(createHash('sha256').update('exported').digest('hex'))
    for (let tried = 0; tried < 100; ) {
      const at = chance.whole(0, bytes.length - 1)
      // Skips the bytes of the credentials themselves, which contain unused space; sign.test.ts tests changes of these bytes.
      if (at >= start && at < end) continue
      tried += 1
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ (1 << chance.whole(0, 7))
      const found = await checkPicture({ picture: changed, mediaType: 'image/png', root }).catch(() => null)
      expect(found?.state ?? 'unreadable', `byte ${at}`).not.toMatch(/^(Trusted|Valid)$/)
    }
  })

  describe('what is shown of the credentials of a file', () => {
    const shown = async (digest: string): Promise<Body> =>
      (await service.get(`/api/v1/files/${digest}/credentials`)).data
    const upload = (bytes: Uint8Array, mediaType = 'image/png'): Promise<string> =>
      makers(service).file(Buffer.from(bytes), mediaType)

    test('agrees with provenance and with the marks of the creative: signer, model, edits, ingredients', async () => {
      const definition = definitionOf({ picture: generated, cut: cropped }, 'picture.image > cut.image')
      const { creative, provenance } = await exported(service, definition, { node_id: 'cut' })
      const seen = await shown(creative.file)
      expect(seen).toMatchObject({
        ...{
          state: 'trusted',
          certificate: 'local',
          signed_by: 'Atelier',
          generator: expect.stringMatching(/^Atelier /),
        },
        ...{ ai: provenance.ai, source_type: provenance.source_type, models: ['painter'], problems: [], manifests: 1 },
      })
      expect(seen.actions.map(({ action }: Body) => action)).toEqual(['c2pa.created', 'c2pa.cropped'])
      expect(seen.actions[0]).toMatchObject({ source_type: provenance.source_type, software: 'painter' })
      expect(provenance).toMatchObject({ file: creative.file, labels: [] })
      const marks = (await service.get(`/api/v1/creatives/${creative.id}/marks`)).data
      expect(marks).toMatchObject({ ai: seen.ai, source_type: seen.source_type, file: creative.file })
    })

    test('a picture that somebody else signed is theirs, and stays in what is made of it as an ingredient', async () => {
      const { chain, root, key } = certificatesFrom(Buffer.alloc(32, 9), 'Nord')
      const foreign = await signPicture({
        ...{
          picture,
          mediaType: 'image/png',
          title: 'Photo',
          created: `${iptc}digitalCapture`,
          actions: [],
          record: {},
        },
        ...{ ingredients: [], signer: { chain, root, key, algorithm: 'ed25519' }, version: '1' },
      })
      const digest = await upload(foreign)
      expect(await shown(digest)).toMatchObject({
        ...{
          state: 'valid',
          certificate: 'other',
          signed_by: 'Nord',
          ai: 'none',
          source_type: `${iptc}digitalCapture`,
        },
      })
      const file = { digest, media_type: 'image/png', size: foreign.length, name: 'photo.png' }
      const given = { type: 'input.file', params: { file } }
      const converted = { type: 'image.convert', params: {} }
      const definition = definitionOf(
        { given, cut: cropped, small: resized, smaller: converted, ads: { ...ads, inputs: { headline: 'Cool' } } },
        'given.file > cut.image',
        'cut.image > small.image',
        'small.image > smaller.image',
        'smaller.image > ads.image',
      )
      const task = await makers(service).task()
      const run = await runThrough(service, (await makeRun(service, definition, { pinned_task_id: task.id })).id)
      const outputs = ['cut', 'small', 'smaller', 'ads'].map((node_id) => ({ node_id, port: 'image' }))
      expect((await service.post(`/api/v1/runs/${run.id}/export`, { outputs })).status).toBe(200)
      for (const { file: made } of await automations(service).creativesOf(task.id)) {
        const [ingredient] = (await shown(made)).ingredients
        expect(ingredient).toMatchObject({
          has_credentials: true,
          signed_by: 'Nord',
          source_type: `${iptc}digitalCapture`,
        })
      }
      const passed = await exported(service, definitionOf({ given }), { node_id: 'given' }, 'image/png')
      expect(passed.creative.file).toBe(digest)
    })

    test('a change since is said, with what does not hold; what carries none says so; a missing file is not found', async () => {
      const { bytes } = await exported(
        service,
        definitionOf({ picture: generated }),
        { node_id: 'picture' },
        'image/png',
      )
      const changed = Buffer.from(bytes)
      changed[changed.length - 30] = (changed[changed.length - 30] ?? 0) ^ 1
      expect(await shown(await upload(changed))).toMatchObject({
        ...{ state: 'invalid', certificate: 'other', ai: 'generated' },
        problems: [expect.stringMatching(/^assertion\.dataHash\.mismatch/)],
      })
      expect(await shown(await upload(picture))).toMatchObject({
        state: 'none',
        signed_by: null,
        ai: null,
        manifests: 0,
      })
      const broken = await shown(await upload(Buffer.from('jumdc2pa, but no picture')))
      expect(broken).toMatchObject({ state: 'unreadable', problems: [expect.stringMatching(/cannot be read/)] })
      expect((await service.get(`/api/v1/files/${'0'.repeat(64)}/credentials`)).status).toBe(404)
    })
  })
})

test('switched off, files are the run’s own, and provenance says why nothing signed them', async () => {
  const off = await startService({ ATELIER_C2PA: 'false' })
  await off.app.worker.start()
  try {
    const sample = { type: 'sample.image', params: { prompt: 'a', width: 200, height: 200 } }
    const { creative, run, provenance } = await exported(
      off,
      definitionOf({ sample }),
      { node_id: 'sample' },
      'image/png',
    )
    expect(creative.file).toBe(run.nodes.sample.outputs.image.digest)
    expect(provenance).toMatchObject({
      ai: 'none',
      signed_by: null,
      unsigned_because: expect.stringMatching(/ATELIER_C2PA/),
    })
  } finally {
    await off.close()
  }
})
