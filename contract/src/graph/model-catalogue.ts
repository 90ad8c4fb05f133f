// In charge of the catalogue of models: the input, the price and the day of withdrawal of each model. The built-in catalogue says
// when its facts were checked, and a deployment may replace it. Pure.
import { isPlainObject } from './definition.ts'

/** `edit`: image models that take input pictures. `workflow`: a workflow of the user's own ComfyUI. */
export const modelKinds = ['image', 'edit', 'chat', 'speech', 'transcription', 'video', 'workflow'] as const
export type ModelKind = (typeof modelKinds)[number]

/** `read`: the day on which somebody read the source. */
type CatalogueSource = { url: string; read: string }

/** A price. Amounts are in millionths of the currency's unit: 30000 means 0.03. */
export type ModelPrice = {
  currency: string
  per: 'image' | 'megapixel' | 'second' | 'million_tokens'
  amount: number
  /** The price of input tokens; only for models that are paid per token. */
  amount_in?: number
  /** Whether `amount` is only the lowest price; the real price rises with size, quality or length. */
  from?: boolean
  source: CatalogueSource
}

export type CatalogueModel = {
  /** The name that nodes use for the model, as `provider:model`. */
  id: string
  kinds: readonly ModelKind[]
  /** How the model takes the picture's size: in pixels, or as proportions. */
  sizes?: 'pixels' | 'proportions'
  /** The maximum number of input pictures. */
  references?: number
  seconds?: readonly number[]
  /** Null if the price is not known. */
  price: ModelPrice | null
  /** The day on which the model is withdrawn, as `YYYY-MM-DD`; left out if no day is announced. */
  ends_on?: string
  ends_source?: CatalogueSource
  /** The model that replaces this model. */
  successor?: string
}

/** The content of `x-models` in the schema of a model param; model pickers and validation rules read it. */
export type ModelChoice = { models: readonly CatalogueModel[]; default: string | null }

/** Caches the model choice of each `x-models` object. There are few such objects, and they exist as long as the node types do. */
const read = new WeakMap<object, ModelChoice>()

/** Returns the model choice in the schema of a param; null if the param does not choose a model. */
export function modelChoiceOf(schema: unknown): ModelChoice | null {
  const carried = isPlainObject(schema) ? schema['x-models'] : undefined
  if (!isPlainObject(carried) || !Array.isArray(carried.models)) return null
  const known = read.get(carried)
  if (known) return known
  const models = carried.models.filter(isCatalogueModel)
  const choice = { models, default: typeof carried.default === 'string' ? carried.default : null }
  read.set(carried, choice)
  return choice
}

/** The full name of a model: the name itself if the catalogue has it, otherwise the name with the provider `openai` before it. */
const fullName = (name: string, models: readonly CatalogueModel[]): string =>
  models.some(({ id }) => id === name) ? name : `openai:${name}`

/** The entry of the model that a node names, or of the default model if the node names none; null if there is no entry. */
export function chosenModel({ models, default: usual }: ModelChoice, named: unknown): CatalogueModel | null {
  const name = typeof named === 'string' && named !== '' ? named : usual
  return name === null ? null : (models.find(({ id }) => id === fullName(name, models)) ?? null)
}

const noticeDays = 60
const dayMs = 86_400_000

/** `over`: the model is withdrawn. `soon`: it will be withdrawn within 60 days. Null in all other cases. */
export function endOf({ ends_on: end }: CatalogueModel, today: string): 'over' | 'soon' | null {
  if (end === undefined) return null
  if (end <= today) return 'over'
  return Date.parse(end) - Date.parse(today) <= noticeDays * dayMs ? 'soon' : null
}

/** A sentence that says when a model was withdrawn, or will be within the next 60 days; null in all other cases. */
export function endWords(model: CatalogueModel, today: string): string | null {
  const end = endOf(model, today)
  if (end === null) return null
  const instead = model.successor === undefined ? '' : ` ${model.successor} takes its place.`
  return `The model ${model.id} ${end === 'over' ? 'ended' : 'ends'} on ${model.ends_on}.${instead}`
}

/** The currency of the prices; all prices of a catalogue have the same currency. */
export const currencyOf = (models: readonly CatalogueModel[]): string =>
  models.find(({ price }) => price !== null)?.price?.currency ?? 'USD'

const units = { image: 'a picture', megapixel: 'a megapixel', second: 'a second', million_tokens: 'a million tokens' }

/** A price as text for users; `price unknown` if the price is null. */
export function priceWords(price: ModelPrice | null): string {
  if (price === null) return 'price unknown'
  const { currency, per, amount, amount_in: sent, from, source } = price
  const of = (micros: number): string => `${currency} ${Number((micros / 1_000_000).toFixed(6))}`
  const amounts = sent === undefined ? of(amount) : `${of(sent)} in, ${of(amount)} out`
  return `${from ? 'from ' : ''}${amounts} for ${units[per]} (as of ${source.read})`
}

type Parsed = { models: CatalogueModel[] } | { errors: string[] }

/** Parses a deployment's catalogue, which replaces the built-in one. Returns all errors at once, each with its location. */
export function parseCatalogue(raw: unknown): Parsed {
  const listed: unknown = isPlainObject(raw) ? raw.models : raw
  if (!Array.isArray(listed)) return { errors: ['must be a JSON object with `models`, a list'] }
  const errors = listed.flatMap((one: unknown, at) => faultsOf(one).map((fault) => `models[${at}]: ${fault}`))
  const models = listed.filter(isCatalogueModel)
  const ids = models.map(({ id }) => id)
  const currencies = new Set(models.flatMap(({ price }) => (price === null ? [] : [price.currency])))
  if (currencies.size > 1) errors.push(`prices are in one currency, and these are in ${[...currencies].join(' and ')}`)
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) errors.push(`${id} is listed twice`)
  return errors.length > 0 ? { errors } : { models }
}

const isDay = (raw: unknown): boolean =>
  typeof raw === 'string' && /^\d{4}-\d\d-\d\d$/.test(raw) && !Number.isNaN(Date.parse(raw))
const isName = (raw: unknown): boolean => typeof raw === 'string' && /^[a-z]+:\S{1,100}$/.test(raw)
const isCount = (raw: unknown): boolean => Number.isSafeInteger(raw) && Number(raw) >= 0
const isSource = (raw: unknown): boolean =>
  isPlainObject(raw) && typeof raw.url === 'string' && URL.canParse(raw.url) && isDay(raw.read)
const isPrice = (raw: unknown): boolean =>
  isPlainObject(raw) &&
  /^[A-Z]{3}$/.test(String(raw.currency)) &&
  Object.hasOwn(units, String(raw.per)) &&
  isCount(raw.amount) &&
  (raw.amount_in === undefined || isCount(raw.amount_in)) &&
  isSource(raw.source)

const optional = (is: (raw: unknown) => boolean) => (raw: unknown) => raw === undefined || is(raw)

const members: Readonly<Record<keyof CatalogueModel, { is: (raw: unknown) => boolean; must: string }>> = {
  id: { is: isName, must: 'be provider:model' },
  kinds: {
    is: (raw) => Array.isArray(raw) && raw.length > 0 && raw.every((kind) => modelKinds.some((one) => one === kind)),
    must: `list ${modelKinds.join(', ')}`,
  },
  sizes: { is: optional((raw) => raw === 'pixels' || raw === 'proportions'), must: 'be pixels or proportions' },
  references: { is: optional(isCount), must: 'be a number of pictures' },
  seconds: { is: optional((raw) => Array.isArray(raw) && raw.every(isCount)), must: 'list whole seconds' },
  price: {
    is: (raw) => raw === null || isPrice(raw),
    must: 'be null, or have currency, per, a whole amount in millionths, and a source with url and read',
  },
  ends_on: { is: optional(isDay), must: 'be a day such as 2026-12-01' },
  ends_source: { is: optional(isSource), must: 'have url and read' },
  successor: { is: optional(isName), must: 'be provider:model' },
}

function faultsOf(raw: unknown): string[] {
  if (!isPlainObject(raw)) return ['must be an object']
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(members, name))
  const wrong = Object.entries(members).filter(([name, { is }]) => !is(raw[name]))
  const undated = raw.ends_on !== undefined && raw.ends_source === undefined
  return [
    ...wrong.map(([name, { must }]) => `${name} must ${must}`),
    ...(undated ? ['ends_on needs ends_source: where it says so'] : []),
    ...(unknown.length > 0 ? [`has no member ${unknown.join(', ')}`] : []),
  ]
}

const isCatalogueModel = (raw: unknown): raw is CatalogueModel => faultsOf(raw).length === 0
