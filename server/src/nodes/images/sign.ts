// In charge of signing pictures with content credentials (C2PA), and of checking such credentials. The library for this exists only
// for some platforms, so it is imported only when it is used.

import { wordsOf } from '../../platform/operator-error.ts'
import { NodeFailure } from '../node-type.ts'
import { type Checked, checkedOf } from './manifest.ts'

/**
 * `chain`: the signer's certificates as PEM, beginning with the one that signs. `root`: the certificate, as PEM, that somebody must
 * trust in order to trust the signer. `key`: the private key as PEM.
 */
export type Signer = { chain: string; root: string; key: string; algorithm: string }

export type Ingredient = {
  bytes: Uint8Array
  mediaType: string
  title: string
  /** `parentOf`: the signed picture is an edit of this one. `componentOf`: this picture is a part of the signed one. */
  relation: 'parentOf' | 'componentOf'
}

export type SignJob = {
  picture: Uint8Array
  mediaType: string
  title: string
  /** The address of the digital source type of a picture that was newly created; null: the picture is an edit of its parent. */
  created: string | null
  /** The actions that made the picture, in their order, in the format of C2PA. */
  actions: readonly { action: string; [member: string]: unknown }[]
  /** A further assertion, `org.atelier.record`, as JSON in a format of our own. */
  record: Record<string, unknown>
  ingredients: readonly Ingredient[]
  signer: Signer
  version: string
}

/** `root`: the root certificates to trust, as PEM. */
export type CheckJob = { picture: Uint8Array; mediaType: string; root: string }

type Settings = Record<string, unknown>
type Source = { buffer: Buffer; mimeType: string }
type Builder = {
  setIntent(intent: 'edit' | { create: string }): void
  addAction(action: string): void
  addAssertion(label: string, assertion: string, kind: 'Json'): void
  addIngredient(ingredient: string, asset: Source): Promise<void>
  sign(signer: object, input: Source, output: { buffer: Buffer | null }): Buffer
}
type Library = {
  Builder: { withJson(manifest: object, settings: Settings): Builder }
  LocalSigner: { newSigner(chain: Buffer, key: Buffer, algorithm: string): object }
  Reader: { fromAsset(asset: Source, settings: Settings): Promise<{ json(): unknown } | null> }
}

const has = (value: object, name: string, method: string): boolean =>
  typeof Reflect.get(Object(Reflect.get(value, name)), method) === 'function'

const isLibrary = (value: unknown): value is Library =>
  typeof value === 'object' &&
  value !== null &&
  has(value, 'Builder', 'withJson') &&
  has(value, 'LocalSigner', 'newSigner') &&
  has(value, 'Reader', 'fromAsset')

/** Has the type `string`, so that TypeScript does not resolve the import of the package, which some machines do not have. */
export const signingPackage: string = '@contentauth/c2pa-node'

async function load(): Promise<Library> {
  try {
    const library: unknown = await import(signingPackage)
    if (isLibrary(library)) return library
  } catch (cause) {
    throw new NodeFailure(`The library for content credentials does not run here: ${firstLine(cause)}.`, { cause })
  }
  throw new NodeFailure('The library for content credentials is another version than the one this was written for.')
}

const firstLine = (error: unknown): string => wordsOf(error).split('\n', 1)[0] ?? ''

/** With these settings the library fetches nothing, whatever addresses a picture names, and trusts only the given certificates. */
const settingsFor = (root: string): Settings => ({
  verify: { verify_after_sign: false, verify_trust: true, remote_manifest_fetch: false, ocsp_fetch: false },
  trust: { user_anchors: root },
  builder: { thumbnail: { enabled: false } },
})

/** Returns the picture with new content credentials in it. */
export async function signPicture(job: SignJob): Promise<Uint8Array> {
  const { Builder, LocalSigner } = await load()
  const { signer, mediaType, created } = job
  try {
    const manifest = {
      claim_generator_info: [{ name: 'Atelier', version: job.version }],
      title: job.title,
      format: mediaType,
    }
    const builder = Builder.withJson({ ...manifest, assertions: [], ingredients: [] }, settingsFor(signer.root))
    builder.setIntent(created === null ? 'edit' : { create: created })
    for (const action of job.actions) builder.addAction(JSON.stringify(action))
    builder.addAssertion('org.atelier.record', JSON.stringify(job.record), 'Json')
    for (const [at, { bytes, mediaType: format, title, relation }] of job.ingredients.entries()) {
      const described = { title, format, relationship: relation, instance_id: `ingredient-${at}` }
      await builder.addIngredient(JSON.stringify(described), { buffer: Buffer.from(bytes), mimeType: format })
    }
    const local = LocalSigner.newSigner(Buffer.from(signer.chain), Buffer.from(signer.key), signer.algorithm)
    const output: { buffer: Buffer | null } = { buffer: null }
    builder.sign(local, { buffer: Buffer.from(job.picture), mimeType: mediaType }, output)
    if (output.buffer !== null) return output.buffer
  } catch (cause) {
    throw new NodeFailure(`The picture could not be signed: ${firstLine(cause)}.`, { cause })
  }
  throw new NodeFailure('The picture could not be signed.')
}

/** Reads what the content credentials of a picture say, and whether they are valid and trusted. */
export async function checkPicture(job: CheckJob): Promise<Checked> {
  const { Reader } = await load()
  const asset = { buffer: Buffer.from(job.picture), mimeType: job.mediaType }
  const reader = await Reader.fromAsset(asset, settingsFor(job.root)).catch((cause: unknown) => {
    throw new NodeFailure(`The credentials cannot be read: ${firstLine(cause)}.`, { cause })
  })
  return checkedOf(reader?.json())
}
