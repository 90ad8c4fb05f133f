// In charge of reporting what a file says about its origin: its source type, and its content credentials, which a library checks.
import { buffer } from 'node:stream/consumers'
import type { FileCredentials } from '@atelier/contract/marks.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Credentials } from '../../nodes/credentials.ts'
import { hasCredentials } from '../../nodes/images/containers.ts'
import type { Checked } from '../../nodes/images/manifest.ts'
import { aiOfSourceType, modelsIn } from '../../nodes/images/marks.ts'
import { isTemporary, twiceIfUncertain } from '../../nodes/images/workers.ts'
import { sourceTypes } from '../../nodes/images/xmp.ts'
import { NodeFailure } from '../../nodes/node-type.ts'
import { noFile } from '../../platform/file-store.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { createTurns, inTurn } from '../../platform/turns.ts'
import { type Reading, sourceTypeIn } from './reading.ts'

type Inspecting = {
  files: Reading['files']
  credentials: Pick<Credentials, 'check' | 'localSerial'>
}

export function bindCredentials(bind: Bind, inspecting: Inspecting): void {
  const inspect = createInspector(inspecting)
  bind(routes.getFileCredentials, async ({ params: { digest } }) => ({ data: await inspect(digest) }))
}

/** How many files are inspected at the same time. The others wait before they are read, because each is held in memory as a whole. */
const atOnce = { most: 2, mostWaiting: 100, waitMs: 60_000, turnMs: 240_000 } as const

/** Returns a function that reports what a file, given by its digest, says about its origin. */
export function createInspector(inspecting: Inspecting): (digest: string) => Promise<FileCredentials> {
  const turns = createTurns({ ...atOnce, what: 'files are being inspected for credentials, and others wait' })
  return (digest) => inTurn(turns, () => inspect(inspecting, digest))
}

/** The content credentials of files with more bytes are not read, since the library needs the whole file in memory. */
const mostBytes = 128 * 1024 * 1024

async function inspect({ files, credentials }: Inspecting, digest: string): Promise<FileCredentials> {
  const found = await sourceTypeIn(files, digest)
  const file = found && (await files.find(digest))
  if (!file) throw noFile(digest)
  const { term } = found
  const about = {
    digest,
    media_type: file.media_type,
    ai: aiOfSourceType(term),
    source_type: term === null ? null : sourceTypes + term,
  }
  if (file.size > mostBytes) {
    const problem = `The file is larger than ${mostBytes / 1_048_576} MB: its credentials are not read here.`
    return { ...about, ...nothing, state: 'unreadable', problems: [problem] }
  }
  const bytes = await buffer(await files.read(file))
  const models = modelsIn(bytes)
  if (!hasCredentials(bytes)) return { ...about, ...nothing, models }
  try {
    const check = () => credentials.check(bytes, file.media_type)
    const { active: _active, serial, state, ...said } = await twiceIfUncertain(check)
    const certificate = certificateOf(state, serial, credentials)
    return { ...about, ...said, state: states[state ?? ''] ?? 'none', certificate, models: merged(said, models) }
  } catch (error) {
    if (isTemporary(error))
      throw new Refusal(
        'overloaded',
        `The credentials of the file ${digest} cannot be read now; try again in a moment.`,
      )
    if (!(error instanceof NodeFailure)) throw error
    return { ...about, ...nothing, models, state: 'unreadable', problems: [error.message] }
  }
}

const merged = (said: Pick<Checked, 'models'>, models: readonly string[]): string[] => [
  ...new Set([...said.models, ...models]),
]

const states: Readonly<Record<string, FileCredentials['state']>> = {
  Trusted: 'trusted',
  Valid: 'valid',
  Invalid: 'invalid',
}

function certificateOf(state: string | null, serial: string | null, { localSerial }: Inspecting['credentials']) {
  if (state === null) return null
  if (state !== 'Trusted') return 'other'
  return serial === localSerial ? 'local' : 'operator'
}

const nothing = {
  ...{ state: 'none', certificate: null, signed_by: null, issuer: null, signed_at: null, generator: null },
  ...{ actions: [], models: [], ingredients: [], manifests: 0, problems: [] },
} satisfies Partial<FileCredentials>
