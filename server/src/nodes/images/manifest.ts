// In charge of reading the JSON in which the C2PA library returns content credentials: selects what people are shown. Pure.
import type { FileCredentials } from '@atelier/contract/marks.ts'

export type Checked = {
  /**
   * `Trusted`: intact, and signed under a trusted root certificate. `Valid`: intact, but signed by somebody else. `Invalid`:
   * changed after signing. Null: the file has no credentials.
   */
  state: string | null
  /** The serial number, in decimal, of the certificate that signed the picture; null if the credentials state none. */
  serial: string | null
  /** The manifest of the picture itself, not of one of its ingredients; null if there is none. */
  active: Record<string, unknown> | null
} & Pick<
  FileCredentials,
  'signed_by' | 'issuer' | 'signed_at' | 'generator' | 'actions' | 'models' | 'ingredients' | 'manifests' | 'problems'
>

type Members = Record<string, unknown>

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {})
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : [])

/** How many characters of a text in the credentials are kept; the rest is cut off. */
const longest = 300
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, longest).toWellFormed() : null

/** How many items of each list in the credentials are shown at most. */
const most = 100

/** What the credentials of a picture say. `json`: the picture's manifest store; if it has none, `state` is null. */
export function checkedOf(json: unknown): Checked {
  const store = membersOf(json)
  const manifests = membersOf(store.manifests)
  const found = manifests[`${store.active_manifest}`]
  const active = found === undefined ? null : membersOf(found)
  const signature = membersOf(active?.signature_info)
  const actions = active === null ? [] : actionsOf(active)
  return {
    state: textOf(store.validation_state),
    serial: textOf(signature.cert_serial_number),
    active,
    signed_by: textOf(signature.common_name) ?? textOf(signature.issuer),
    issuer: textOf(signature.issuer),
    signed_at: dateOf(signature.time),
    generator: generatorOf(active),
    actions: actions.map(({ action, source_type, software }) => ({ action, source_type, software })),
    models: modelsOf(active, actions),
    ingredients: listOf(active?.ingredients)
      .slice(0, most)
      .map((ingredient) => ingredientOf(ingredient, manifests)),
    manifests: Object.keys(manifests).length,
    problems: problemsOf(store),
  }
}

type Action = FileCredentials['actions'][number]

const assertionsOf = (manifest: Members, label: RegExp): Members[] =>
  listOf(manifest.assertions).flatMap((one) => (label.test(`${one.label}`) ? [membersOf(one.data)] : []))

function actionsOf(manifest: Members): Action[] {
  const actions = assertionsOf(manifest, /^c2pa\.actions/).flatMap((data) => listOf(data.actions))
  return actions.slice(0, most).flatMap(({ action, digitalSourceType, softwareAgent }): Action[] => {
    const name = textOf(action)
    const software = textOf(softwareAgent) ?? textOf(membersOf(softwareAgent).name)
    return name === null ? [] : [{ action: name, source_type: textOf(digitalSourceType), software }]
  })
}

/** The models that our own record names, and the software of each action whose source type says that a model made the picture. */
function modelsOf(manifest: Members | null, actions: readonly Action[]): string[] {
  const own = assertionsOf(manifest ?? {}, /^org\.atelier\.record/).flatMap(({ models }) => listOf(models))
  const made = actions.filter(({ source_type }) => source_type?.endsWith('/trainedAlgorithmicMedia'))
  return [...new Set([...own.map(({ model }) => textOf(model)), ...made.map(({ software }) => software)])]
    .filter((name) => name !== null)
    .slice(0, most)
}

function ingredientOf(ingredient: Members, manifests: Members): FileCredentials['ingredients'][number] {
  const manifest = manifests[`${ingredient.active_manifest}`]
  const found = manifest === undefined ? null : membersOf(manifest)
  const signature = membersOf(found?.signature_info)
  const sources = found === null ? [] : actionsOf(found).flatMap(({ source_type }) => source_type ?? [])
  return {
    title: textOf(ingredient.title),
    media_type: textOf(ingredient.format),
    relation: textOf(ingredient.relationship),
    has_credentials: found !== null,
    signed_by: textOf(signature.common_name) ?? textOf(signature.issuer),
    source_type: sources[0] ?? null,
  }
}

function generatorOf(manifest: Members | null): string | null {
  const [info] = listOf(manifest?.claim_generator_info)
  const name = textOf(info?.name)
  if (name === null) return textOf(manifest?.claim_generator)
  const version = textOf(info?.version)
  return version === null ? name : `${name} ${version}`
}

function dateOf(value: unknown): string | null {
  const at = Date.parse(textOf(value) ?? '')
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** The problems that the library found. That the signer is not trusted is left out: the state `Valid` already says so. */
const problemsOf = (store: Members): string[] =>
  listOf(store.validation_status)
    .filter(({ code }) => code !== 'signingCredential.untrusted')
    .flatMap(({ code, explanation }) => textOf([code, explanation].filter((part) => part).join(': ')) ?? [])
    .slice(0, most)
